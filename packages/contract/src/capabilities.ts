/**
 * Capabilities: dotted names with a value, looked up with parent fallback.
 * The longest name that is present decides, so an explicit `false` or `0` beats a parent's `true`.
 */
export type CapabilityValue = number | boolean | string
export type Capabilities = Readonly<Record<string, CapabilityValue>>

/** Value of `a.b.c`, else of `a.b`, else of `a`, else undefined. */
export function findCapability(capabilities: Capabilities, name: string): CapabilityValue | undefined {
  let wanted = name
  for (;;) {
    if (Object.hasOwn(capabilities, wanted)) return capabilities[wanted]
    const dot = wanted.lastIndexOf('.')
    if (dot < 0) return undefined
    wanted = wanted.slice(0, dot)
  }
}

export function hasCapability(capabilities: Capabilities, name: string): boolean {
  return Boolean(findCapability(capabilities, name))
}

/** What a new account holds. */
export const newUserCapabilities: Capabilities = {
  'marketplace.project-browse': true,
  'user.payments': true,
  'user.offers': true,
}
/** What an owner holds on their server. */
export const ownerCapabilities: Capabilities = { server: true }

/** Derived checks of the panel; API and web read the same ones. */
export const isAdmin = (user: Capabilities) => hasCapability(user, 'admin')
export const canManageServersAsAdmin = (user: Capabilities) => hasCapability(user, 'admin.server')
export const canReadServer = (user: Capabilities, server: Capabilities) =>
  canManageServersAsAdmin(user) || hasCapability(server, 'server.manage.read')
export const canManageServer = (user: Capabilities, server: Capabilities) =>
  canManageServersAsAdmin(user) || hasCapability(server, 'server.manage')
export const canPayByPayu = (user: Capabilities) => hasCapability(user, 'user.payments.payu')
export const canPayByPaypal = (user: Capabilities) => hasCapability(user, 'user.payments.paypal')
export const canPayByPaynow = (user: Capabilities) => hasCapability(user, 'user.payments.paynow')
export const canPayByBlik = (user: Capabilities) => canPayByPaynow(user) && hasCapability(user, 'user.payments.blik')
