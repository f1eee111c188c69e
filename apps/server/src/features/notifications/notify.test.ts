/** What `notify` writes, and that it is written with what it tells of. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../../../../../tests/support/api.ts'
import { inTransaction } from '#src/db/client.ts'
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
      actions: ['open_server'],
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

test('goes where its reader wants it, and nowhere when nothing is wanted', async () => {
  const { user } = await api.signUp()
  const { db } = api.context
  const joined = { userId: user.id, kind: 'PLAYER_JOINED', fields: { server: 'Meadow', player: 'Alex' } } as const
  expect(await inTransaction(db, (trx) => notify(trx, joined))).toBeUndefined()
  const choose = (kind: string, channel: string, wanted: boolean) =>
    db.insertInto('notification_choices').values({ user_id: user.id, kind, channel, wanted }).execute()
  await choose('PLAYER_JOINED', 'panel', true)
  await choose('SERVER_CREATED', 'mail', false)
  await choose('SESSION_STOLEN', 'mail', false) // cannot be switched off
  await inTransaction(db, async (trx) => {
    await notify(trx, joined)
    await notify(trx, { userId: user.id, ...created })
    await notify(trx, { userId: user.id, kind: 'SESSION_STOLEN', fields: {} })
  })
  expect((await rowsOf(user.id)).map(({ kind, channel }) => [kind, channel])).toEqual([
    ['PLAYER_JOINED', null],
    ['SERVER_CREATED', null],
    ['SESSION_STOLEN', 'mail'],
  ])
})

test('refuses fields that the kind does not have', async () => {
  const { user } = await api.signUp()
  const wrong = { server: 'Meadow', adress: 'typo' } as never
  await expect(
    inTransaction(api.context.db, (trx) => notify(trx, { userId: user.id, kind: 'SERVER_CREATED', fields: wrong })),
  ).rejects.toThrow('adress')
})
