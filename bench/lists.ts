/**
 * Measures long lists through the front door: a million audit events in the database, a fifth of them of one account,
 * and 100 000 notifications, half of them of that account; and the times that lists, filters and next pages take.
 *
 *   node bench/lists.ts
 *
 */
import pg from 'pg'
import { pathOf } from '@wakestone/contract/client'
import type { RouteCall } from '@wakestone/contract/route'
import { getEvent } from '@wakestone/contract/ground/events-routes'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import { listUserEvents } from '@wakestone/contract/accounts/users-routes'
import { startBenchApi, startBenchDatabase } from './fixtures/bench-product.ts'
import { reportLatency } from './fixtures/latency.ts'

const events = 1_000_000
const notifications = 100_000
const millisecondsAllowed = 50
const pageSize = 25

/**
 * A year of events in the order in which they happened: every fifth of one account, the others of two thousand; in a
 * hundred one error and four warnings, in ten thousand one action that is rare.
 */
async function fill(database: pg.Client, userId: string): Promise<void> {
  await database.query(
    `insert into audit_events (id, level, resource_id, resource_type, action, success, data)
     select uuidv7(make_interval(secs => (n - $2) * 31.0)),
            case when n % 500 = 0 then 40 when n % 125 = 0 then 30 else 20 end,
            case when n % 5 = 0 then $1::uuid else md5((n % 2000)::text)::uuid end,
            'user',
            case when n % 10000 = 0 then 'USER_CHANGE_EMAIL' when n % 3 = 0 then 'USER_LOGIN_EMAIL' else 'USER_LOGIN' end,
            n % 500 <> 0,
            jsonb_build_object('email', 'someone' || n % 2000 || '@example.test', 'ip', '203.0.113.' || n % 250,
              'method', 'local', 'country_code', 'PL', 'user_agent', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0')
     from generate_series(1, $2::int) as n`,
    [userId, events],
  )
  await database.query('vacuum analyze audit_events') // as the database does by itself in time
}

/** Every other one of one account; one in fifty unread, each with its mail. */
async function fillNotifications(database: pg.Client, userId: string): Promise<void> {
  await database.query(
    `with others as (
       insert into users (username, email, language, country_code)
       select 'reader_' || n, 'reader_' || n || '@example.test', 'en', 'PL' from generate_series(1, 50) as n
       returning id, username
     ), written as (
       insert into notifications (id, user_id, kind, fields, in_panel, created_at, opened_at, resource_type, resource_id)
       select uuidv7(make_interval(secs => (n - $2) * 300.0)),
              case when n % 2 = 0 then $1::uuid else (select id from others where username = 'reader_' || (n % 50 + 1)) end,
              case when n % 1000 = 0 then 'FAILED_PAYMENT' when n % 3 = 0 then 'SERVER_CREATED' else 'SERVER_CRASHED' end,
              case when n % 1000 = 0 then '{"amount":{"amount":4999,"currency":"PLN"}}'::jsonb
                   else '{"server":"Meadow","address":"meadow.localhost","crash_count":1}'::jsonb end,
              true,
              now() + make_interval(secs => (n - $2) * 300.0),
              case when n % 50 = 0 then null else now() end,
              'server', ('0190a0a0-0000-7000-8000-0000000000' || lpad((n % 20)::text, 2, '0'))::uuid
       from generate_series(1, $2::int) as n returning id
     )
     insert into notification_deliveries (notification_id, channel, state, tries, finished_at)
     select id, 'mail', 'sent', 1, now() from written`,
    [userId, notifications],
  )
  await database.query('vacuum analyze notifications, notification_deliveries')
}

const product = await startBenchDatabase()
try {
  const api = await startBenchApi(product)
  const { id } = api.user
  const database = new pg.Client(product.databaseUrl)
  await database.connect()
  product.defer(() => database.end())
  await fill(database, id)
  const { rows } = await database.query<{ id: string; created_at: Date }>(
    'select id, created_at from audit_events where resource_id = $1 order by random() limit 300',
    [id],
  )

  const list = (query: NonNullable<RouteCall<typeof listUserEvents>['query']>) =>
    pathOf(listUserEvents, { params: { id }, query: { limit: pageSize, ...query } })
  const between = rows.map(({ created_at }) => ({
    fromDate: new Date(created_at.getTime() - 30 * 86_400_000).toISOString(),
    toDate: created_at.toISOString(),
  }))
  const measureEvents = (name: string, paths: readonly string[]) =>
    reportLatency(name, api, { paths, allowed: millisecondsAllowed })
  await measureEvents('events of 1 million, list', [list({})])
  await measureEvents('events of 1 million, filter', [
    list({ action: 'USER_LOGIN_EMAIL' }),
    list({ action: 'USER_CHANGE_EMAIL' }), // rare
    list({ action: 'GAME_CRASHED' }), // none
    list({ minLevel: 30 }),
    list({ minLevel: 40 }),
    list({ minLevel: 50 }), // none
    list({ action: 'USER_LOGIN', minLevel: 30 }),
    ...between.map((dates) => list(dates)),
    ...between.map((dates) => list({ ...dates, minLevel: 30, action: 'USER_LOGIN' })),
  ])
  await measureEvents(
    'events of 1 million, next page',
    rows.flatMap(({ id: after }) => [list({ after }), list({ after, minLevel: 30 })]),
  )
  await measureEvents(
    'events of 1 million, one event',
    rows.map((row) => pathOf(getEvent, { params: { id: row.id } })),
  )

  await fillNotifications(database, id)
  const { rows: told } = await database.query<{ id: string; created_at: Date }>(
    'select id, created_at from notifications where user_id = $1 order by random() limit 300',
    [id],
  )
  const listTold = (query: NonNullable<RouteCall<typeof listNotifications>['query']>) =>
    pathOf(listNotifications, { params: { id }, query: { limit: pageSize, ...query } })
  await measureEvents('notifications of 100 000, list', [listTold({})])
  await measureEvents('notifications of 100 000, filter', [
    listTold({ unread: '1' }),
    listTold({ types: 'FAILED_PAYMENT' }), // rare
    listTold({ types: 'PLAYER_JOINED' }), // none
    listTold({ types: 'SERVER_CREATED,FAILED_PAYMENT' }),
    ...told.map(({ created_at }) => listTold({ fromDate: created_at.toISOString() })),
  ])
  await measureEvents(
    'notifications of 100 000, next page',
    told.flatMap(({ id: after }) => [listTold({ after }), listTold({ after, unread: '1' })]),
  )
} finally {
  await product.stop()
}
