/**
 * Every capability the product asks about, and how they are grouped for people to choose from.
 * An operator may grant other names too: a cluster, for one, can be seen by holders of a name of the operator's own.
 */

export const capabilityNames = [
  'server',
  'server.manage',
  'server.manage.read',
  'server.manage.power',
  'server.manage.console',
  'server.manage.players', // added
  'server.manage.ports',
  'server.packages',
  'server.share',
  'admin',
  'admin.server',
  'admin.server.parameters',
  'admin.payments.topup',
  'admin.payments.refund', // added
  'admin.vouchers.generate',
  'admin.marketplace', // added
  'admin.support', // added
  'marketplace.project-browse',
  'marketplace.project-create',
  'marketplace.project-create-without-suffix',
  'marketplace.project-manage.edit',
  'marketplace.project-manage.read',
  'user.read',
  'user.offers',
  'user.craftum',
  'user.payments', // the parent of those below: what a new account holds
  'user.payments.payu',
  'user.payments.paypal',
  'user.payments.paynow',
  'user.payments.blik',
  'user.payments.affiliate', // added, as the one below
  'user.payments.pay-later',
] as const
export type CapabilityName = (typeof capabilityNames)[number]

export type CapabilityGroup = { readonly name: string; readonly capabilities: readonly CapabilityName[] }

/** What can be granted on one server, from looking on to everything. */
export const serverCapabilityGroups = [
  { name: 'watch', capabilities: ['server.manage.read'] },
  {
    name: 'run',
    capabilities: [
      'server.manage.power',
      'server.manage.console',
      'server.manage.players',
      'server.manage.ports',
      'server.manage',
    ],
  },
  { name: 'packages', capabilities: ['server.packages'] },
  { name: 'sharing', capabilities: ['server.share'] },
  { name: 'everything', capabilities: ['server'] },
] as const satisfies readonly CapabilityGroup[]

/** What can be granted on the whole product. */
export const userCapabilityGroups = [
  { name: 'ordering', capabilities: ['user.offers', 'user.craftum'] },
  {
    name: 'payments',
    capabilities: [
      'user.payments',
      'user.payments.payu',
      'user.payments.paypal',
      'user.payments.paynow',
      'user.payments.blik',
      'user.payments.affiliate',
      'user.payments.pay-later',
    ],
  },
  {
    name: 'marketplace',
    capabilities: [
      'marketplace.project-browse',
      'marketplace.project-create',
      'marketplace.project-create-without-suffix',
      'marketplace.project-manage.read',
      'marketplace.project-manage.edit',
    ],
  },
  { name: 'people', capabilities: ['user.read'] },
  {
    name: 'administration',
    capabilities: [
      'admin',
      'admin.server',
      'admin.server.parameters',
      'admin.payments.topup',
      'admin.payments.refund',
      'admin.vouchers.generate',
      'admin.marketplace',
      'admin.support',
    ],
  },
] as const satisfies readonly CapabilityGroup[]

type Underscored<Name extends string> = Name extends `${infer Head}.${infer Tail}`
  ? `${Head}_${Underscored<Tail>}`
  : Name

/** The name as a key of a text, where a dot means a level: `server_manage_read`. */
export function capabilityTextKey<const Name extends CapabilityName>(name: Name): Underscored<Name> {
  return name.replaceAll('.', '_') as Underscored<Name>
}
