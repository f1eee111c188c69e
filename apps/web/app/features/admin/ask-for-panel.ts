/** The event that opens the administrators' panel: menus ask for it without loading it. */
export const adminPanelAsked = 'wakestone:admin-panel'

export const askForAdminPanel = () => dispatchEvent(new Event(adminPanelAsked))
