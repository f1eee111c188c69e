/**
 * Capabilities: dotted names with a value, looked up with parent fallback.
 * The longest name that is present decides, so an explicit `false` or `0` beats a parent's `true`.
 */
import type { CapabilityName } from './capability-names.ts'

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

/** What is held and within `scopes` too: a look-up in the answer finds the value held where both have the name. */
export function restrictCapabilities(held: Capabilities, scopes: Capabilities): Capabilities {
  // Between two names that neither side mentions, look-ups of both fall back to the same ones.
  const names = new Set([...Object.keys(held), ...Object.keys(scopes)])
  return Object.fromEntries(
    [...names].map((name) => [name, hasCapability(scopes, name) ? (findCapability(held, name) ?? false) : false]),
  )
}

/** Whether an administrator may grant this: rights of administration only as far as they hold them. */
export function canGrant(granter: Capabilities, granted: Capabilities): boolean {
  const names = new Set([...Object.keys(granter), ...Object.keys(granted)])
  return [...names].every(
    (name) => !/^admin(\.|$)/.test(name) || !hasCapability(granted, name) || hasCapability(granter, name),
  )
}

/** What a new account holds. */
export const newUserCapabilities = {
  'marketplace.project-browse': true,
  'user.payments': true,
  'user.offers': true,
} as const satisfies Partial<Record<CapabilityName, CapabilityValue>>
/** What an owner holds on their server. */
export const ownerCapabilities = { server: true } as const satisfies Partial<Record<CapabilityName, CapabilityValue>>

/**
 * Derived checks of the panel; API and web read the same ones. Preview mode, in which an administrator looks at the
 * panel as a customer sees it, is a switch of the browser: the API never passes it.
 */
export const isAdmin = (user: Capabilities, { isPreview = false } = {}) => !isPreview && canOpenAdminMenu(user)
/** The menu stays in preview mode, which is left there. */
export const canOpenAdminMenu = (user: Capabilities) => has(user, 'admin')
export const canManageServersAsAdmin = (user: Capabilities) => has(user, 'admin.server')
export const canManageServerParameters = (user: Capabilities) => has(user, 'admin.server.parameters')
export const canTopUpAsAdmin = (user: Capabilities) => has(user, 'admin.payments.topup')
export const canRefundAsAdmin = (user: Capabilities) => has(user, 'admin.payments.refund')
export const canAnswerTickets = (user: Capabilities) => has(user, 'admin.support')
export const canCreateVoucher = (user: Capabilities) => has(user, 'admin.vouchers.generate')

const onServer = (name: CapabilityName) => (user: Capabilities, server: Capabilities) =>
  canManageServersAsAdmin(user) || has(server, name)
export const canReadServer = onServer('server.manage.read')
export const canManageServer = onServer('server.manage')
/** Start, stop, restart, and whether it stays up. */
export const canPowerServer = onServer('server.manage.power')
export const canUseConsole = onServer('server.manage.console')
/** Let players in, ban and kick them, see and change what they carry. */
export const canManagePlayers = onServer('server.manage.players')
export const canShareServer = onServer('server.share')
export const canManagePorts = onServer('server.manage.ports')
export const canManagePackages = onServer('server.packages')

/** Added: decide about releases, take projects down, read reports. */
export const canModerateMarketplace = (user: Capabilities) => has(user, 'admin.marketplace')
export const canBrowseMarketplaceProjects = (user: Capabilities) => has(user, 'marketplace.project-browse')
export const canCreateMarketplaceProject = (user: Capabilities) => has(user, 'marketplace.project-create')
export const canCreateProjectWithoutSuffix = (user: Capabilities) =>
  has(user, 'marketplace.project-create-without-suffix')
/** On one project: what its members hold there. */
export const canEditMarketplaceProject = (project: Capabilities) => has(project, 'marketplace.project-manage.edit')
export const canReadMarketplaceProject = (project: Capabilities) => has(project, 'marketplace.project-manage.read')

export const hasCraftumPermission = (user: Capabilities) => has(user, 'user.craftum')
export const hasOffersPermission = (user: Capabilities) => has(user, 'user.offers')
export const canPayByPayu = (user: Capabilities) => has(user, 'user.payments.payu')
export const canPayByPaypal = (user: Capabilities) => has(user, 'user.payments.paypal')
export const canPayByPaynow = (user: Capabilities) => has(user, 'user.payments.paynow')
export const canPayByBlik = (user: Capabilities) => canPayByPaynow(user) && has(user, 'user.payments.blik')
/** Added: with what one has earned as an affiliate, and on a bill. */
export const canPayByAffiliate = (user: Capabilities) => has(user, 'user.payments.affiliate')
export const canPayLater = (user: Capabilities) => has(user, 'user.payments.pay-later')

const paymentChecks = { payu: canPayByPayu, paypal: canPayByPaypal, paynow: canPayByPaynow, blik: canPayByBlik }
export type CapabilityPaymentMethod = keyof typeof paymentChecks

/** Methods of payment that a gateway takes, in the order they are offered. */
export const gatewayMethods = Object.keys(paymentChecks) as readonly CapabilityPaymentMethod[]

/** Those of them that are open to a user, in the same order. */
export function availablePaymentMethods(user: Capabilities): CapabilityPaymentMethod[] {
  return gatewayMethods.filter((method) => paymentChecks[method](user))
}

function has(capabilities: Capabilities, name: CapabilityName): boolean {
  return hasCapability(capabilities, name)
}
