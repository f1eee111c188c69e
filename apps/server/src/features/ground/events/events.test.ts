import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditActions, eventCountLimit, personalDetails, writtenActions } from '@wakestone/contract/ground/event'
import type { RouteCall } from '@wakestone/contract/route'
import { getEvent } from '@wakestone/contract/ground/events-routes'
import { listUserEvents } from '@wakestone/contract/accounts/users-routes'
import { inTransaction } from '#src/db/client.ts'
import { clearOldRecords } from '#src/features/admin/retention/service.ts'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { anonymiseEventsOf, recordUserEvent } from './service.ts'

let api: TestApi
let caller: Caller
let stranger: Caller
let admin: Caller

beforeAll(async () => {
  api = await startTestApi({ LIMIT_EXPORTS: '3' })
  caller = await api.signUp()
  stranger = await api.signUp()
  admin = await api.signUp({ admin: true })
})
afterAll(() => api.close())

const query = (text: string, values: unknown[] = []) => api.context.database.pool.query(text, values)

/** Writes events that happened some days ago, the oldest first. @returns ids in that order. */
async function write(resourceId: string, ages: number[], { level = 20, action = 'USER_LOGIN' } = {}) {
  const { rows } = await query(
    `insert into audit_events (id, level, resource_id, resource_type, action, success)
     select uuidv7(make_interval(days => -age)), $2, $1, 'user', $3, true from unnest($4::int[]) as age returning id`,
    [resourceId, level, action, ages],
  )
  return rows.map(({ id }: { id: string }) => id)
}

type Wanted = NonNullable<RouteCall<typeof listUserEvents>['query']>
const list = (userId: string, wanted: Wanted = {}) =>
  admin.call(listUserEvents, { params: { id: userId }, query: wanted })

describe('a list', () => {
  test('comes newest first, page by page, whatever the levels', async () => {
    const userId = randomUUID()
    const info = await write(userId, [9, 7, 5, 3, 1])
    const warnings = await write(userId, [8, 6, 4, 2], { level: 30, action: 'USER_NEW_DEVICE' })
    const expected = [...info, ...warnings].toSorted().toReversed()
    const seen: string[] = []
    for (let after: string | undefined; ; after = seen.at(-1)) {
      const { data, count } = await list(userId, { limit: 2, ...(after === undefined ? {} : { after }) })
      expect(count).toBe(9)
      if (data.length === 0) break
      seen.push(...data.map(({ id }) => id))
    }
    expect(seen).toEqual(expected)
  })

  test('is narrowed by level, action and dates, and by all of them', async () => {
    const userId = randomUUID()
    await write(userId, [40, 30, 20, 10])
    const [, , third] = await write(userId, [41, 31, 21, 11], { level: 30 })
    await write(userId, [42, 32, 22, 12], { level: 30, action: 'USER_NEW_DEVICE' })
    const day = (age: number) => new Date(Date.now() - age * 86_400_000).toISOString()
    const counts = async (wanted: Wanted) => {
      const { data, count } = await list(userId, wanted)
      expect(data.length).toBe(count)
      return count
    }
    expect(await counts({ minLevel: 30 })).toBe(8)
    expect(await counts({ minLevel: 25 })).toBe(8)
    expect(await counts({ minLevel: 40 })).toBe(0)
    expect(await counts({ action: 'USER_NEW_DEVICE' })).toBe(4)
    expect(await counts({ action: 'USER_NEW_DEVICE,USER_LOGIN,USER_LOGIN' })).toBe(await counts({}))
    await expect(counts({ action: 'USER_LOGIN,NO_SUCH' })).rejects.toThrow('invalid_request')
    expect(await counts({ action: 'USER_LOGIN', minLevel: 30 })).toBe(4)
    expect(await counts({ fromDate: day(25) })).toBe(6)
    expect(await counts({ toDate: day(25) })).toBe(6)
    const { data } = await list(userId, { action: 'USER_LOGIN', minLevel: 30, fromDate: day(25), toDate: day(15) })
    expect(data.map(({ id }) => id)).toEqual([third])
    const [event] = data
    const { data: same } = await list(userId, { fromDate: event!.created_at, toDate: event!.created_at })
    expect(same.map(({ id }) => id)).toEqual([third]) // both dates are within
  })

  test('counts no further than it says', async () => {
    const userId = randomUUID()
    await write(
      userId,
      Array.from({ length: eventCountLimit + 5 }, (_, index) => index % 90),
    )
    expect((await list(userId, { limit: 1 })).count).toBe(eventCountLimit)
  })
})

describe('one event', () => {
  test('is shown with who asked for it, to whoever may see the list that it is in', async () => {
    const { user } = caller
    const [first] = (await caller.call(listUserEvents, { params: { id: user.id } })).data
    const event = await caller.call(getEvent, { params: { id: first!.id } })
    expect(event).toMatchObject({ action: 'USER_LOGIN', success: true, level: 20, error: null, executor: null })
    expect(event.data).toMatchObject({ email: user.email, ip: '127.0.0.1', country_code: null, method: 'local' })
    expect(await admin.call(getEvent, { params: { id: first!.id } })).toEqual(event)
    for (const id of [first!.id, randomUUID()])
      await expect(stranger.call(getEvent, { params: { id } })).rejects.toMatchObject({
        status: 404,
        body: { error: 'resource_not_found' },
      })
  })
})

describe('a file of events', () => {
  const fetchFile = (who: Caller, path: string) =>
    fetch(`${api.origin}/api/v1/users/${path}`, { headers: { cookie: who.cookie() } })

  test('holds all that fits the filter, and no formula; too many are refused', async () => {
    const { id } = stranger.user
    await inTransaction(api.context.db, (trx) =>
      recordUserEvent(trx, id, {
        action: 'USER_END_SESSION',
        success: false,
        error: { code: '=HYPERLINK("x")' },
        data: { user_agent: 'A "quoted", agent' },
      }),
    )
    const response = await fetchFile(stranger, `${id}/events.csv?action=USER_END_SESSION`)
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(response.headers.get('content-disposition')).toContain('attachment')
    const [head, line, end] = (await response.text()).split('\r\n')
    expect([head, end]).toEqual(['id,time,level,action,success,executor,error,details', ''])
    expect(line).toContain(
      `,INFO,USER_END_SESSION,no,,"'=HYPERLINK(""x"")","{""user_agent"":""A \\""quoted\\"", agent""}"`,
    )

    expect((await fetchFile(caller, `${id}/events.csv`)).status).toBe(404)
    await write(
      id,
      Array.from({ length: 1203 }, () => 100),
    )
    const lines = (await (await fetchFile(stranger, `${id}/events.csv`)).text()).split('\r\n')
    expect(new Set(lines).size).toBe(lines.length)
    expect(lines.length).toBe(
      1 + 1203 + (await list(id, { fromDate: new Date(Date.now() - 1e9).toISOString() })).count + 1,
    )

    await fetchFile(stranger, `${id}/events.csv`)
    expect((await fetchFile(stranger, `${id}/events.csv`)).status).toBe(429)
  })
})

describe('the table', () => {
  test('refuses to be changed, emptied, or to lose what is younger than twelve months', async () => {
    const [id] = await write(caller.user.id, [364])
    for (const statement of [
      `update audit_events set data = '{"x": 1}' where id = $1`,
      `update audit_events set data = data - 'email' where id = $1`,
      `update audit_events set level = 10 where id = $1`,
      'delete from audit_events where id = $1',
    ])
      await expect(query(statement, [id])).rejects.toThrow('append-only')
    await expect(query('truncate audit_events')).rejects.toThrow('append-only')
  })

  test('loses what is older when the night’s job runs, and nothing else', async () => {
    const userId = randomUUID()
    const [, young] = await write(userId, [370, 360])
    await query(
      `insert into login_failures (id, subject) values (uuidv7('-8 days'), 'old'), (uuidv7('-6 days'), 'young')`,
    )
    await query(
      `insert into newsletter_subscriptions (email, language, requested_at, confirmed_at, withdrawn_at) values
       ('gone@x.test', 'en', now() - interval '5 years', now() - interval '5 years', now() - interval '4 years'),
       ('here@x.test', 'en', now() - interval '5 years', now() - interval '5 years', null),
       ('back@x.test', 'en', now() - interval '1 year', now() - interval '5 years', now() - interval '4 years')`,
    )
    await clearOldRecords(api.context)
    expect((await list(userId)).data.map(({ id }) => id)).toEqual([young])
    const { rows: failures } = await query(`select subject from login_failures where subject in ('old', 'young')`)
    expect(failures).toEqual([{ subject: 'young' }])
    const { rows: readers } = await query(
      `select email from newsletter_subscriptions where email like '%@x.test' order by 1`,
    )
    expect(readers).toEqual([{ email: 'back@x.test' }, { email: 'here@x.test' }])
  })

  test('lets what names a person be taken out of the events of an account that is gone', async () => {
    const { user } = await api.signUp()
    const before = await list(user.id)
    await expect(inTransaction(api.context.db, (trx) => anonymiseEventsOf(trx, user.id))).rejects.toThrow('append-only')
    await query(`update users set destroyed_at = now() where id = $1`, [user.id])
    await inTransaction(api.context.db, (trx) => anonymiseEventsOf(trx, user.id))
    const after = await list(user.id)
    expect(after.data.map(({ id, action }) => [id, action])).toEqual(before.data.map(({ id, action }) => [id, action]))
    expect(after.data.flatMap(({ data }) => Object.keys(data))).toEqual(
      expect.arrayContaining(['method', 'accepted_terms']),
    )
    for (const { data } of after.data) for (const name of personalDetails) expect(data).not.toHaveProperty(name)
    const add = query(`update audit_events set data = data || '{"x": 1}' where resource_id = $1`, [user.id])
    await expect(add).rejects.toThrow('append-only')
  })
})

test('what a log offers to choose from is what something writes', () => {
  const sources = join(import.meta.dirname, '../..')
  const code = globSync('**/*.ts', { cwd: sources, exclude: ['**/*.test.ts'] })
    .map((path) => readFileSync(join(sources, path), 'utf8'))
    .join('\n')
  expect(writtenActions).toEqual(auditActions.filter((action) => code.includes(`'${action}'`)))
})
