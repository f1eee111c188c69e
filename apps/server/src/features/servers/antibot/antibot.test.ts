import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AntibotReport } from '@wakestone/contract/servers/antibot'
import { changeAntibot, getAntibot } from '@wakestone/contract/servers/antibot-routes'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import { createServer, getServer, listServerEvents } from '@wakestone/contract/servers/servers-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { isMarked } from '@wakestone/protocol/antibot'
import { createRouteSource } from '#src/features/servers/player-routes/source.ts'
import { tidyAntibot } from './service.ts'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'

let api: TestApi
let owner: Caller
let server: Server
beforeAll(async () => {
  api = await startTestApi()
  owner = await api.signUp()
  server = await owner.call(createServer, { body: order(await topUp(api.context, owner, 20_000), '1.21.4') })
})
afterAll(() => api.close())
beforeEach(() => api.context.database.pool.query('truncate server_antibot_minutes, server_attacks'))

async function report(body: Partial<AntibotReport>, token = api.context.secrets.gateway) {
  const response = await fetch(`${api.origin}/internal/gateway/antibot`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ gatewayId: randomUUID(), minutes: [], attacked: [], over: [], ...body }),
  })
  return response.status
}
const params = () => ({ id: server.id })
const shown = () => owner.call(getAntibot, { params: params() })
const minuteAt = (ago: number) => new Date(Math.floor((Date.now() - ago) / 60_000) * 60_000).toISOString()
const minute = (more: object = {}, ago = 0) => ({
  serverId: server.id,
  at: minuteAt(ago),
  joins: 1,
  verified: 0,
  turnedAway: {},
  ...more,
})
const eventsOf = async (action: 'SERVER_ATTACK_DETECTED' | 'SERVER_ATTACK_ENDED') =>
  (await owner.call(listServerEvents, { params: params(), query: { action, limit: 100 } })).data.length

test('a minute that is told again takes the place of what was told, and those of several gateways add up', async () => {
  const gatewayId = randomUUID()
  const turnedAway = { asked_to_rejoin: 5 }
  expect(await report({ gatewayId, minutes: [minute({ turnedAway })] })).toBe(200)
  const more = { joins: 2, verified: 1, turnedAway: { asked_to_rejoin: 7, flood: 1 } }
  for (let again = 0; again < 2; again += 1) await report({ gatewayId, minutes: [minute(more)] })
  await report({ minutes: [minute({ turnedAway: { flood: 2 } })] })
  const { points, reasons, latest } = await shown()
  expect(points).toEqual([{ at: minuteAt(0), joins: 3, verified: 1, turned_away: 10 }])
  expect(reasons).toEqual({ asked_to_rejoin: 7, flood: 3 })
  expect(latest).toEqual([{ at: minuteAt(0), reasons: { asked_to_rejoin: 7, flood: 3 } }])
})

test('only gateways are listened to, nobody is believed about other days or servers, and what is old goes', async () => {
  expect(await report({ minutes: [minute()] }, 'guess')).toBe(401)
  expect(await report({ minutes: [minute({ joins: -1 })] })).toBe(400)
  expect(await report({ minutes: Array.from({ length: 501 }, () => minute()) })).toBe(400)
  const day = 86_400_000
  await report({ minutes: [minute({}, 2 * day), minute({}, -day), minute({ serverId: randomUUID() })] })
  await report({ attacked: [{ serverId: randomUUID(), since: minuteAt(0) }], over: [randomUUID()] })
  expect(await shown()).toMatchObject({ points: [], attacks: [] })
  await report({ minutes: [minute()] })
  await api.context.database.pool.query(`update server_antibot_minutes set at = at - interval '25 hours'`)
  await tidyAntibot(api.context)
  const { rows } = await api.context.database.pool.query('select from server_antibot_minutes')
  expect(rows).toEqual([])
})

test('an attack goes on for as long as one gateway sees it, and its owner is told of one in an hour', async () => {
  const [one, other] = [randomUUID(), randomUUID()]
  const attacked = [{ serverId: server.id, since: new Date().toISOString() }]
  const before = [await eventsOf('SERVER_ATTACK_DETECTED'), await eventsOf('SERVER_ATTACK_ENDED')] as const
  await Promise.all([report({ gatewayId: one, attacked }), report({ gatewayId: other, attacked })])
  await report({ gatewayId: one, attacked, minutes: [minute({ turnedAway: { flood: 40 } })] })
  expect((await shown()).attacks).toMatchObject([{ until: null, turned_away: 40 }])
  await report({ gatewayId: one, over: [server.id] })
  expect((await shown()).attacks).toMatchObject([{ until: null }])
  await report({ gatewayId: other, over: [server.id] })
  expect((await shown()).attacks).toMatchObject([{ until: expect.any(String), turned_away: 40 }])
  expect([await eventsOf('SERVER_ATTACK_DETECTED'), await eventsOf('SERVER_ATTACK_ENDED')]).toEqual([
    before[0] + 1,
    before[1] + 1,
  ])

  // One that follows is an event, and no message; that of a gateway which is gone ends by itself.
  await report({ gatewayId: one, attacked: [{ serverId: server.id, since: new Date().toISOString() }] })
  await tidyAntibot(api.context)
  expect((await shown()).attacks[0]).toMatchObject({ until: null })
  await api.context.database.pool.query(`update server_attacks set heard_at = now() - interval '3 minutes'`)
  await tidyAntibot(api.context)
  expect((await shown()).attacks[0]).toMatchObject({ until: expect.any(String) })
  expect(await eventsOf('SERVER_ATTACK_DETECTED')).toBe(before[0] + 2)
  const query = { types: 'SERVER_UNDER_ATTACK,SERVER_ATTACK_OVER' }
  const { notifications } = await owner.call(listNotifications, { params: { id: owner.user.id }, query })
  expect(notifications.map(({ type }) => type).toSorted()).toEqual(['SERVER_ATTACK_OVER', 'SERVER_UNDER_ATTACK'])
  expect(
    notifications.find(({ type }) => type === 'SERVER_UNDER_ATTACK')?.statuses.map(({ channel }) => channel),
  ).toContain('mail')
})

test('what its owner chooses is told to gateways with those who have played, and off ends an attack', async () => {
  const { db, database } = api.context
  await database.pool.query(
    `insert into player_sessions (server_id, name, joined_at, left_at) values
      ($1, 'Steve', now() - interval '2 hours', now() - interval '1 hour'),
      ($1, 'Bot_17', now() - interval '30 minutes', now() - interval '29 minutes 55 seconds')`,
    [server.id],
  )
  const changes = { onChange: () => () => {}, start: async () => {}, close: async () => {} }
  const routeNow = async () => {
    const source = createRouteSource({ ...api.context, db }, changes)
    const { routes } = await source.subscribe(() => {})
    source.close()
    return routes.find(({ serverId }) => serverId === server.id)?.antibot
  }
  const known = (await routeNow())?.known ?? ''
  expect((await routeNow())?.mode).toBe('automatic')
  expect(isMarked(known, server.id, 'sTeve')).toBe(true)
  expect(isMarked(known, server.id, 'Bot_17')).toBe(false)
  expect(known).not.toContain('Steve')
  await owner.call(changeAntibot, { params: params(), body: { mode: 'on' } })
  expect((await routeNow())?.mode).toBe('on')
  expect((await owner.call(getServer, { params: params() })).parameters.antibot).toBe('on')

  await report({ attacked: [{ serverId: server.id, since: new Date().toISOString() }] })
  const off = await owner.call(changeAntibot, { params: params(), body: { mode: 'off' } })
  expect(off).toMatchObject({ mode: 'off', attacks: [{ until: expect.any(String) }] })
  expect(await routeNow()).toBeNull()
  await report({ attacked: [{ serverId: server.id, since: new Date().toISOString() }] })
  expect((await shown()).attacks).toHaveLength(1)
  const { data } = await owner.call(listServerEvents, { params: params(), query: { action: 'SERVER_ANTIBOT_CHANGE' } })
  expect(data.map((event) => event.data)).toMatchObject([
    { old_mode: 'on', new_mode: 'off' },
    { old_mode: 'automatic', new_mode: 'on' },
  ])
})
