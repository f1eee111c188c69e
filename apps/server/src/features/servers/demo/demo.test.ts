/** The server that everybody may try: only the one that the flag names, and only while it can be joined. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDemoServer } from '@wakestone/contract/servers/demo-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { changeFlag } from '@wakestone/contract/site/flags-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'
import { order, setPrepared, topUp } from '../../../../../../tests/support/servers.ts'

let api: TestApi
let admin: Caller
let serverId: string
const name = 'misty-allay'

beforeAll(async () => {
  api = await startTestApi()
  admin = await api.signUp({ admin: true })
  const owner = await api.signUp()
  const body = order(await topUp(api.context, owner, 10_000), '1.21.4', { name: 'Misty Allay', subdomain: name })
  serverId = (await owner.call(createServer, { body })).id
})
afterAll(() => api.close())

const show = (value: string, more: object = { enabled: true }) =>
  admin.call(changeFlag, { params: { key: 'demo-server' }, body: { value, ...more } })
const ask = () => outcomeOf(api.anonymous(getDemoServer, {}))

test('nothing is told while the flag is off, names nothing, or names what is not there', async () => {
  expect(await ask()).toBe('resource_not_found')
  await show(name, { enabled: false })
  expect(await ask()).toBe('resource_not_found')
  await show('')
  expect(await ask()).toBe('resource_not_found')
  await show('another-server')
  expect(await ask()).toBe('resource_not_found')
})

test('what everybody sees is its address, its version and what it does, and no more', async () => {
  await show(name)
  // Not ready yet.
  expect(await ask()).toBe('resource_not_found')
  await setPrepared(api, serverId)
  const shown = await api.anonymous(getDemoServer, {})
  expect(shown).toEqual({
    name: 'Misty Allay',
    address: expect.stringMatching(/^misty-allay\./),
    game: 'minecraft-java',
    game_version: '1.21.4',
    state: expect.any(String),
    players: { online: 0, max: expect.any(Number) },
    start_seconds: null,
  })
})

test('one that is disabled is not offered', async () => {
  await api.context.db.updateTable('servers').set({ disabled: true }).where('id', '=', serverId).execute()
  expect(await ask()).toBe('resource_not_found')
})
