export const accessCookie = 'ws_access'
export const refreshCookie = 'ws_refresh'
