/** Dates are rendered on the server in the visitor's zone, once a cookie has told it. */
export const timeZoneCookie = 'ws_time_zone'
export const defaultTimeZone = 'Europe/Warsaw'

export function isTimeZone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false
  }
}
