/**
 * Measures long lists through the front door: a million audit events in the database, a fifth of them of one account,
 * and 100 000 notifications, half of them of that account; and the times that lists, filters and next pages take.
 *
 *   node bench/lists.ts
 *
 * Prints one JSON line per figure: `{name, value, unit, reach, ok}`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pathOf } from '@wakestone/contract/client'
import type { RouteCall } from '@wakestone/contract/route'
import { getEvent } from '@wakestone/contract/routes/events'
import { listNotifications } from '@wakestone/contract/routes/notifications'
import { listUserEvents, loginLocal } from '@wakestone/contract/routes/users'
import { loadSecrets } from '@wakestone/kit/secrets'
import { demoAccount } from '../apps/server/src/features/users/first-accounts.ts'
import { migrate } from '../apps/server/src/db/migrate.ts'
import { startPostgres } from '../apps/standalone/src/postgres.ts'
import { createCookieClient } from '../tests/support/api.ts'
import { startScript } from './fixtures/start-script.ts'

const events = 1_000_000
const notifications = 100_000
/** Requests per figure, and how many are under way at a time. */
const requests = 1500
const connections = 2
const millisecondsAllowed = 50
const pageSize = 25

const dataDir = mkdtempSync(join(tmpdir(), 'ws-bench-'))
const endings: (() => unknown)[] = []

/** Sends requests, some at a time, and tells what the slowest hundredth takes at least, in milliseconds. */
async function measure(
  origin: string,
  cookie: string,
  paths: readonly string[],
): Promise<{ p50: number; p99: number }> {
  const times: number[] = []
  let sent = 0
  const send = async () => {
    while (sent < requests) {
      const path = paths[sent++ % paths.length]!
      const started = performance.now()
      const response = await fetch(`${origin}${path}`, { headers: { cookie } })
      await response.arrayBuffer()
      times.push(performance.now() - started)
      if (response.status !== 200) throw new Error(`${path} answered with ${response.status}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, send))
  times.sort((left, right) => left - right)
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

async function report(name: string, origin: string, cookie: string, paths: readonly string[]): Promise<void> {
  await Promise.all(paths.slice(0, 20).map((path) => fetch(`${origin}${path}`, { headers: { cookie } }))) // warm
  const { p50, p99 } = await measure(origin, cookie, paths)
  console.log(`${name}: half within ${p50.toFixed(1)} ms`)
  const value = Number(p99.toPrecision(3))
  const reach = `≤${millisecondsAllowed}`
  console.log(JSON.stringify({ name: `${name}: p99`, value, unit: 'ms', reach, ok: value <= millisecondsAllowed }))
}

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

try {
  const postgres = await startPostgres({
    home: join(dataDir, 'postgres'),
    password: 'bench',
    logFile: join(dataDir, 'postgres.log'),
  })
  endings.push(postgres.stop)
  const databaseUrl = postgres.url('postgres')
  await migrate(databaseUrl)
  const api = await startScript(join(import.meta.dirname, '../apps/server/src/api.ts'), {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'info',
    PUBLIC_URL: 'http://localhost',
    NODE_ENV: 'development',
  })
  endings.push(api.stop)
  const { call, cookie } = createCookieClient(api.origin)
  const password = loadSecrets(dataDir).demoPassword
  const { id } = await call(loginLocal, { body: { login: demoAccount.email, password } })

  const database = new pg.Client(databaseUrl)
  await database.connect()
  endings.push(() => database.end())
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
  const measureEvents = (name: string, paths: readonly string[]) => report(name, api.origin, cookie(), paths)
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
  for (const end of endings.reverse()) await end()
  rmSync(dataDir, { recursive: true, force: true })
}
