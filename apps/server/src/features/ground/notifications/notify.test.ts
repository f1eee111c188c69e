/** What `notify` writes, and that it is written with what it tells of. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { inTransaction } from '#src/db/client.ts'
import { clearOldRecords } from '#src/features/admin/retention/service.ts'
import { notify } from './service.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const rowsOf = (userId: string) =>
  api.context.db
    .selectFrom('notifications')
    .leftJoin('notification_deliveries as delivery', 'delivery.notification_id', 'notifications.id')
    .select(['kind', 'fields', 'in_panel', 'actions', 'resource_id', 'delivery.channel', 'delivery.secret'])
    .where('user_id', '=', userId)
    .orderBy('notifications.id')
    .orderBy('channel')
    .execute()
const created = { kind: 'SERVER_CREATED', fields: { server: 'Meadow', address: 'meadow.localhost' } } as const

test('is written with its transaction or not at all, once per key', async () => {
  const { user } = await api.signUp()
  const { db } = api.context
  const undone = inTransaction(db, async (trx) => {
    await notify(trx, { userId: user.id, ...created })
    throw new Error('changed our mind')
  })
  await expect(undone).rejects.toThrow('changed our mind')
  expect(await rowsOf(user.id)).toEqual([])

  const resource = { type: 'server', id: randomUUID() } as const
  for (let time = 0; time < 2; time++)
    await inTransaction(db, (trx) => notify(trx, { userId: user.id, ...created, resource, dedupeKey: 'made' }))
  expect(await rowsOf(user.id)).toEqual([
    {
      ...created,
      in_panel: true,
      actions: ['open_server', 'open_plan', 'open_document'],
      resource_id: resource.id,
      channel: 'mail',
      secret: null,
    },
  ])
})

test('keeps what only the mail may carry out of the notification', async () => {
  const { user } = await api.signUp()
  const fields = { product: 'AMETHYST', code: 'TEST-ABCD1234', expires: '2027-01-01T00:00:00Z' }
  await inTransaction(api.context.db, (trx) => notify(trx, { userId: user.id, kind: 'TESTING_CODE', fields }))
  const [row] = await rowsOf(user.id)
  expect(row?.fields).toEqual({ product: 'AMETHYST', expires: fields.expires })
  expect(row?.secret).toEqual({ code: 'TEST-ABCD1234' })
})

const moved = { kind: 'SERVER_MIGRATED', fields: { server: 'Meadow', cluster: 'Warsaw' } } as const

test('tells of money by mail also before the address is confirmed', async () => {
  const { user } = await api.signUp()
  const { db } = api.context
  await db.updateTable('users').set({ email_verified: null }).where('id', '=', user.id).execute()
  await inTransaction(db, async (trx) => {
    await notify(trx, { userId: user.id, ...moved })
    const fields = { amount: { amount: 1900, currency: 'PLN' } }
    await notify(trx, { userId: user.id, kind: 'SUCCESSFUL_PAYMENT', fields })
  })
  expect((await rowsOf(user.id)).map(({ kind, channel }) => [kind, channel])).toEqual([
    ['SERVER_MIGRATED', null],
    ['SUCCESSFUL_PAYMENT', 'mail'],
  ])
})

test('goes where its reader wants it, and nowhere when nothing is wanted', async () => {
  const { user } = await api.signUp()
  const { db } = api.context
  const joined = { userId: user.id, kind: 'PLAYER_JOINED', fields: { server: 'Meadow', player: 'Alex' } } as const
  expect(await inTransaction(db, (trx) => notify(trx, joined))).toBeUndefined()
  const choose = (kind: string, channel: string, wanted: boolean) =>
    db.insertInto('notification_choices').values({ user_id: user.id, kind, channel, wanted }).execute()
  await choose('PLAYER_JOINED', 'panel', true)
  await choose('SERVER_MIGRATED', 'mail', false)
  await choose('SESSION_STOLEN', 'mail', false) // cannot be switched off
  await inTransaction(db, async (trx) => {
    await notify(trx, joined)
    await notify(trx, { userId: user.id, ...moved })
    await notify(trx, { userId: user.id, kind: 'SESSION_STOLEN', fields: {} })
  })
  expect((await rowsOf(user.id)).map(({ kind, channel }) => [kind, channel])).toEqual([
    ['PLAYER_JOINED', null],
    ['SERVER_MIGRATED', null],
    ['SESSION_STOLEN', 'mail'],
  ])
})

test('names the address that players type, with a port that is not the usual one', async () => {
  const caller = await api.signUp()
  Object.assign(api.context.settings, { GAME_PORT: 25599 })
  const { address } = await caller.call(createServer, {
    body: order(await topUp(api.context, caller, 5000), '1.21.4'),
  })
  expect(address).toMatch(/:25599$/)
  const told = (await rowsOf(caller.user.id)).find(({ kind }) => kind === 'SERVER_CREATED')
  expect(told?.fields).toMatchObject({ address })
})

test('is kept for a time, and how it went out for a shorter one; what still waits to go out is not lost', async () => {
  const { user } = await api.signUp()
  const { pool } = api.context.database
  const write = async (age: string, states: string[]) => {
    const { rows } = await pool.query<{ id: string }>(
      `insert into notifications (id, user_id, kind, fields, in_panel)
       values (uuidv7(-$2::interval), $1, 'SESSION_STOLEN', '{}', true) returning id`,
      [user.id, age],
    )
    const [channels, id] = [['mail', 'discord', 'push'], rows[0]?.id]
    for (const [index, state] of states.entries())
      await pool.query(
        `insert into notification_deliveries (id, notification_id, channel, state)
         values (uuidv7(-$4::interval), $1, $2, $3)`,
        [id, channels[index], state, age],
      )
    return id
  }
  const old = await write('13 months 2 days', ['sent'])
  const older = await write('40 days', ['sent', 'failed', 'waiting'])
  const young = await write('20 days', ['sent'])
  await clearOldRecords(api.context)
  const left = (await rowsOf(user.id)).length
  expect(left).toBe(2)
  const { rows } = await pool.query<{ notification_id: string; state: string }>(
    'select notification_id, state from notification_deliveries where notification_id = any($1) order by 1, 2',
    [[old, older, young]],
  )
  expect(rows).toEqual([
    { notification_id: older, state: 'waiting' },
    { notification_id: young, state: 'sent' },
  ])
})

test('refuses fields that the kind does not have', async () => {
  const { user } = await api.signUp()
  const wrong = { server: 'Meadow', adress: 'typo' } as never
  await expect(
    inTransaction(api.context.db, (trx) => notify(trx, { userId: user.id, kind: 'SERVER_CREATED', fields: wrong })),
  ).rejects.toThrow('adress')
})
