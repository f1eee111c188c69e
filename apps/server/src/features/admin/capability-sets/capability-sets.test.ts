/** Saved sets of capabilities, through the front door. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Capabilities } from '@wakestone/contract/capabilities'
import * as sets from '@wakestone/contract/admin/capability-sets-routes'
import { listFlags } from '@wakestone/contract/site/flags-routes'
import { listUserEvents, verify } from '@wakestone/contract/accounts/users-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { inTransaction } from '#src/db/client.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startTestApi()
  admin = await api.signUp({ admin: true })
})
afterAll(() => api.close())

let made = 0
const make = (capabilities: Capabilities, by = admin) =>
  by.call(sets.createCapabilitySet, { body: { name: `Set ${++made}`, description: 'For tests', capabilities } })
const give = (id: string, { user }: Pick<Caller, 'user'>, by = admin) =>
  by.call(sets.giveCapabilitySet, { params: { id }, body: { user: user.email } })
const held = async ({ call }: Caller) => (await call(verify, {})).user_capabilities
async function until(isSo: () => Promise<boolean>, what: string) {
  for (const deadline = Date.now() + 10_000; !(await isSo());) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`)
    await delay(20)
  }
}
const mayAdminister = async ({ call }: Caller) => (await outcomeOf(call(listFlags, {}))) === 'success'

test('who has a set holds what it says at the time, beneath what they were granted themselves', async () => {
  const user = await api.signUp()
  const set = await make({ 'user.craftum': true, 'user.offers': false, 'server.slots': 3 })
  expect(set).toMatchObject({ holders: 0, description: 'For tests' })
  expect(await give(set.id, user)).toMatchObject({ id: user.user.id, username: user.user.username })
  expect(await held(user)).toMatchObject({ 'user.craftum': true, 'user.offers': true, 'server.slots': 3 })
  const { name, description } = set
  const body = { name, description, capabilities: { 'server.slots': 5 } }
  expect((await admin.call(sets.changeCapabilitySet, { params: set, body })).holders).toBe(1)
  expect(await held(user)).toEqual({ ...user.user.user_capabilities, 'server.slots': 5 })
  expect((await admin.call(sets.listCapabilitySetHolders, { params: set })).map(({ id }) => id)).toEqual([user.user.id])
  const later = await make({ 'server.slots': 7 })
  await give(later.id, user)
  expect((await held(user))['server.slots']).toBe(7) // the set given last

  const apart = await admin.call(sets.listUserCapabilitySets, { params: user.user })
  expect(apart.granted).toEqual(user.user.user_capabilities)
  expect(apart.sets.map(({ id }) => id)).toEqual([later.id, set.id])

  const { data } = await user.call(listUserEvents, { params: user.user })
  expect(data[0]).toMatchObject({
    action: 'USER_CHANGE_CAPABILITIES',
    data: { before: { 'server.slots': 5 }, after: { 'server.slots': 7 } },
  })
  await admin.call(sets.takeCapabilitySet, { params: { id: later.id, userId: user.user.id } })
  expect((await held(user))['server.slots']).toBe(5)
  await admin.call(sets.deleteCapabilitySet, { params: set })
  expect(await held(user)).toEqual(user.user.user_capabilities)
})

test('every way to get and lose a right takes effect in open sessions', async () => {
  const user = await api.signUp()
  const set = await make({ admin: true })
  const body = { name: set.name, capabilities: { 'user.craftum': true } }
  expect(await mayAdminister(user)).toBe(false)
  await give(set.id, user)
  await until(() => mayAdminister(user), 'the set counts')
  await admin.call(sets.changeCapabilitySet, { params: set, body })
  await until(async () => !(await mayAdminister(user)), 'the set says less')
  await admin.call(sets.changeCapabilitySet, { params: set, body: { ...body, capabilities: { admin: true } } })
  await until(() => mayAdminister(user), 'the set says more')
  await admin.call(sets.deleteCapabilitySet, { params: set })
  await until(async () => !(await mayAdminister(user)), 'the set is gone')
})

test('nobody gives more administration than they hold, by whatever way', async () => {
  const limited = await api.signUp()
  const entry = await make({ admin: true, 'admin.payments': false })
  await give(entry.id, limited)
  await until(() => mayAdminister(limited), 'the set counts')
  const whole = await make({ admin: true })
  expect(await outcomeOf(make({ admin: true }, limited))).toBe('insufficient_capabilities')
  expect(await outcomeOf(make({ 'admin.payments.topup': true }, limited))).toBe('insufficient_capabilities')
  expect(await outcomeOf(give(whole.id, limited, limited))).toBe('insufficient_capabilities')
  const params = { id: entry.id }
  const body = { name: entry.name, capabilities: { admin: true } }
  expect(await outcomeOf(limited.call(sets.changeCapabilitySet, { params, body }))).toBe('insufficient_capabilities')
  expect(await outcomeOf(make({ 'user.craftum': true }, limited))).toBe('success')
})

test('somebody administers in the end', async () => {
  const { db } = api.context
  const only = await api.signUp()
  const set = await make({ admin: true })
  await give(set.id, only)
  await until(() => mayAdminister(only), 'the set counts')
  await inTransaction(db, async (trx) => {
    await trx.deleteFrom('user_capabilities').where('name', '=', 'admin').execute()
    await trx.deleteFrom('user_capability_sets').where('user_id', '<>', only.user.id).execute()
  })
  const body = { name: set.name, capabilities: {} }
  expect(await outcomeOf(only.call(sets.changeCapabilitySet, { params: set, body }))).toBe('last_administrator')
  expect(await outcomeOf(only.call(sets.deleteCapabilitySet, { params: set }))).toBe('last_administrator')
  const own = { id: set.id, userId: only.user.id }
  expect(await outcomeOf(only.call(sets.takeCapabilitySet, { params: own }))).toBe('own_account_protected')
  await inTransaction(db, (trx) =>
    trx.insertInto('user_capabilities').values({ user_id: admin.user.id, name: 'admin', value: 'true' }).execute(),
  )
  await until(() => mayAdminister(admin), 'as before')
})

test('names are unique whatever their case, of capabilities too strange to be one are refused', async () => {
  const { name } = await make({})
  const create = (body: object) => outcomeOf(admin.call(sets.createCapabilitySet, { body: body as never }))
  expect(await create({ name: name.toUpperCase(), capabilities: {} })).toBe('resource_already_exists')
  for (const capability of ['', 'a..b', 'A', '.', 'a.', '__proto__.', 'ż'])
    expect(await create({ name: `x${capability}`, capabilities: { [capability]: true } })).toBe('invalid_request')
  expect(
    await outcomeOf(
      admin.call(sets.giveCapabilitySet, { params: { id: (await make({})).id }, body: { user: 'nobody' } }),
    ),
  ).toBe('user_not_found')
})
