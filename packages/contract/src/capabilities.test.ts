import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  availablePaymentMethods,
  canBrowseMarketplaceProjects,
  canCreateMarketplaceProject,
  canCreateProjectWithoutSuffix,
  canCreateVoucher,
  canEditMarketplaceProject,
  canGrant,
  canManagePackages,
  canManagePlayers,
  canManagePorts,
  canManageServer,
  canManageServerParameters,
  canManageServersAsAdmin,
  canOpenAdminMenu,
  canPayByPaynow,
  canPayByPaypal,
  canPayByPayu,
  canReadMarketplaceProject,
  canReadServer,
  canTopUpAsAdmin,
  type Capabilities,
  findCapability,
  hasCapability,
  hasCraftumPermission,
  hasOffersPermission,
  isAdmin,
  newUserCapabilities,
  restrictCapabilities,
} from './capabilities.ts'
import { capabilityNames, serverCapabilityGroups, userCapabilityGroups } from './capability-names.ts'

/** Few parts, so that names often meet; some that an object has by birth. */
const part = fc.constantFrom('a', 'b', 'admin', 'server', '__proto__', 'constructor', 'toString', '')
const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'))
const value = fc.oneof(fc.boolean(), fc.constantFrom(0, 1, -1, 7.5, Number.NaN), fc.constantFrom('', 'false', 'x'))
const capabilities = fc.array(fc.tuple(name, value), { maxLength: 8 }).map((pairs) => Object.fromEntries(pairs))

/** The rule as the specification says it: of all names that are the wanted one or a parent of it, the longest. */
function model(held: Capabilities, wanted: string) {
  const [longest] = Object.entries(held)
    .filter(([known]) => known === wanted || wanted.startsWith(`${known}.`))
    .toSorted(([one], [other]) => other.length - one.length)
  return longest?.[1]
}

test('a look-up equals the model', () => {
  fc.assert(
    fc.property(capabilities, name, (held, wanted) => {
      expect(findCapability(held, wanted)).toBe(model(held, wanted))
      expect(hasCapability(held, wanted)).toBe(Boolean(model(held, wanted)))
    }),
    { numRuns: 2000 },
  )
})

test('an explicit refusal beats a parent, and holds for all below it', () => {
  const refusals = fc.constantFrom(false, 0, '')
  fc.assert(
    fc.property(name, part, part, value.filter(Boolean), refusals, (parent, child, grandchild, granted, refused) => {
      const held = Object.fromEntries([
        [parent, granted],
        [`${parent}.${child}`, refused],
      ])
      expect(hasCapability(held, `${parent}.${child}`)).toBe(false)
      expect(hasCapability(held, `${parent}.${child}.${grandchild}`)).toBe(false)
      expect(findCapability(held, parent)).toBe(granted)
      expect(findCapability(held, `${parent}.${child}x`)).toBe(granted)
    }),
  )
})

test('numbers and texts come back as they are', () => {
  const held = { 'server.slots': 3, 'server.motto': 'sleep well', 'server.none': 0, 'server.empty': '' }
  expect(findCapability(held, 'server.slots')).toBe(3)
  expect(findCapability(held, 'server.slots.extra')).toBe(3)
  expect(findCapability(held, 'server.motto')).toBe('sleep well')
  expect([hasCapability(held, 'server.none'), hasCapability(held, 'server.empty')]).toEqual([false, false])
  expect(findCapability(held, 'server')).toBeUndefined()
})

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__proto__.admin'])(
  'nobody is born with %s',
  (inborn) => {
    expect(findCapability({}, inborn)).toBeUndefined()
    expect(findCapability(JSON.parse(`{"${inborn}": true}`) as Capabilities, inborn)).toBe(true)
  },
)

test('what is restricted is held where both have it, and nowhere else', () => {
  fc.assert(
    fc.property(capabilities, capabilities, name, (held, scopes, wanted) => {
      const restricted = restrictCapabilities(held, scopes)
      expect(hasCapability(restricted, wanted)).toBe(hasCapability(held, wanted) && hasCapability(scopes, wanted))
      if (hasCapability(restricted, wanted))
        expect(findCapability(restricted, wanted)).toBe(findCapability(held, wanted))
    }),
    { numRuns: 2000 },
  )
})

test('nobody grants more administration than they hold', () => {
  fc.assert(
    fc.property(capabilities, capabilities, name, (granter, granted, wanted) => {
      fc.pre(canGrant(granter, granted))
      const asked = `admin.${wanted}`
      if (hasCapability(granted, asked)) expect(hasCapability(granter, asked)).toBe(true)
    }),
    { numRuns: 2000 },
  )
  expect(canGrant({ admin: true }, { admin: true, 'user.craftum': true })).toBe(true)
  expect(canGrant({ admin: true, 'admin.payments': false }, { admin: true })).toBe(false)
  expect(canGrant({ admin: true, 'admin.payments': false }, { admin: true, 'admin.payments': false })).toBe(true)
  expect(canGrant({ 'admin.server': true }, { admin: true })).toBe(false)
})

test('every capability is in one group', () => {
  const grouped = [...serverCapabilityGroups, ...userCapabilityGroups].flatMap((group) => [...group.capabilities])
  expect(grouped.toSorted()).toEqual([...capabilityNames].toSorted())
})

test.each([
  ['admin', canOpenAdminMenu],
  ['admin.server', canManageServersAsAdmin],
  ['admin.server.parameters', canManageServerParameters],
  ['admin.payments.topup', canTopUpAsAdmin],
  ['admin.vouchers.generate', canCreateVoucher],
  ['marketplace.project-browse', canBrowseMarketplaceProjects],
  ['marketplace.project-create', canCreateMarketplaceProject],
  ['marketplace.project-create-without-suffix', canCreateProjectWithoutSuffix],
  ['marketplace.project-manage.edit', canEditMarketplaceProject],
  ['marketplace.project-manage.read', canReadMarketplaceProject],
  ['user.craftum', hasCraftumPermission],
  ['user.offers', hasOffersPermission],
  ['user.payments.payu', canPayByPayu],
  ['user.payments.paypal', canPayByPaypal],
  ['user.payments.paynow', canPayByPaynow],
] as const)('the check of %s takes it and its parents, nothing else', (wanted, check) => {
  for (const only of capabilityNames) {
    const isSelfOrParent = only === wanted || wanted.startsWith(`${only}.`)
    expect({ only, passes: check({ [only]: true }) }).toEqual({ only, passes: isSelfOrParent })
  }
})

test.each([
  ['server.manage.read', canReadServer],
  ['server.manage', canManageServer],
  ['server.manage.ports', canManagePorts],
  ['server.manage.players', canManagePlayers],
  ['server.packages', canManagePackages],
] as const)('the check of %s takes it on the server, or the right to act on any', (wanted, check) => {
  expect(check({}, { [wanted]: true })).toBe(true)
  expect(check({}, { server: true, [wanted]: false })).toBe(false)
  expect(check({ [wanted]: true }, {})).toBe(false)
  expect(check({ 'admin.server': true }, {})).toBe(true)
  expect(check({ admin: true, 'admin.server': false }, {})).toBe(false)
})

test('preview mode hides administration, but not the way out of it', () => {
  expect(isAdmin({ admin: true })).toBe(true)
  expect(isAdmin({ admin: true }, { isPreview: true })).toBe(false)
  expect(canOpenAdminMenu({ admin: true })).toBe(true)
})

test('methods of payment come in their order; BLIK needs PayNow', () => {
  expect(availablePaymentMethods(newUserCapabilities)).toEqual(['payu', 'paypal', 'paynow', 'blik'])
  expect(availablePaymentMethods({ 'user.payments.blik': true })).toEqual([])
  expect(availablePaymentMethods({ 'user.payments': true, 'user.payments.paynow': false })).toEqual(['payu', 'paypal'])
})
