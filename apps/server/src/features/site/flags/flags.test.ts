/** Feature flags, through the front door of two processes' worth of API over one database. */
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiError, createApiClient } from '@wakestone/contract/client'
import { defaultFlagValues, flagKeys, type FlagRule } from '@wakestone/contract/site/flags'
import * as routes from '@wakestone/contract/site/flags-routes'
import { listUserEvents } from '@wakestone/contract/accounts/users-routes'
import { createLogger } from '@wakestone/kit/logger'
import { type Channels, openChannels } from '#src/db/channels.ts'
import { type Caller, createCookieClient, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { shareOf } from './resolve.ts'
import { type FeatureFlags, openFlags } from './service.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startTestApi()
  admin = await api.signUp({ admin: true })
})
afterAll(() => api.close())

const change = (key: string, body: Parameters<typeof admin.call<typeof routes.changeFlag>>[1]['body']) =>
  admin.call(routes.changeFlag, { params: { key }, body })
const texts = { en: 'Hello', pl: 'Cześć', de: 'Hallo' }

beforeEach(async () => {
  for (const { key, enabled } of await admin.call(routes.listFlags, {})) {
    if (enabled) await change(key, { enabled: false, rules: [] })
  }
  await until(async () => {
    const values = await api.anonymous(routes.getFlagValues, {})
    if (!isDeepStrictEqual(values, defaultFlagValues())) throw new Error('a flag is still on')
  })
})

/** Other processes learn of a change a moment later. */
async function until(check: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + 10_000
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await delay(10)
    }
  }
}

/** The flags for somebody at an address, with cookies. */
async function valuesFor({ ip = '127.0.0.1', cookie = '', language = 'en' }) {
  const answer = await api.api.app.inject({
    url: `/api/v1/flags?language=${language}`,
    headers: { cookie },
    remoteAddress: ip,
  })
  return { values: answer.json(), setCookie: [answer.headers['set-cookie'] ?? []].flat().join() }
}

describe('an administrator', () => {
  test('sees every flag, with its type and what it is for, all off at first', async () => {
    const list = await admin.call(routes.listFlags, {})
    expect(list.map(({ key }) => key)).toEqual(flagKeys)
    expect(flagKeys).toEqual([
      'contest-event',
      'nps-age-input',
      'pay-later',
      'redeem-free-server',
      'featured-projects',
      'demo-server',
      'redirect-modal',
      'promotion-extra-code',
      'promotion-banner',
      'panel-announcement',
    ])
    expect(list.filter(({ enabled }) => enabled)).toEqual([])
    for (const { description, type } of list) {
      expect(description.length).toBeGreaterThan(20)
      expect(['boolean', 'string', 'object']).toContain(type)
    }
  })

  test('turns one on and off, and is named for it', async () => {
    const on = await change('contest-event', { enabled: true })
    expect(on).toMatchObject({ enabled: true, value: true, updated_by: admin.user.username })
    // Seen at once where it was changed.
    expect(await api.anonymous(routes.getFlagValues, {})).toEqual({ ...defaultFlagValues(), 'contest-event': true })
    await change('contest-event', { enabled: false })
    expect(await api.anonymous(routes.getFlagValues, {})).toEqual(defaultFlagValues())
    const { data } = await admin.call(listUserEvents, {
      params: { id: admin.user.id },
      query: { action: 'USER_CHANGE_FLAG', limit: 2 },
    })
    expect(data.map((event) => event.data)).toMatchObject([
      { flag: 'contest-event', before: { enabled: true }, after: { enabled: false } },
      { flag: 'contest-event', before: { enabled: false }, after: { enabled: true } },
    ])
  })

  test('sets texts, slugs and codes', async () => {
    const announcement = { text: texts, community_url: 'https://community.example/join' }
    await change('panel-announcement', { enabled: true, value: announcement })
    await change('featured-projects', { enabled: true, value: ['one', 'two'] })
    await change('promotion-extra-code', { enabled: true, value: 'SUMMER-26' })
    await until(async () =>
      expect(await api.anonymous(routes.getFlagValues, {})).toMatchObject({
        'panel-announcement': announcement,
        'featured-projects': ['one', 'two'],
        'promotion-extra-code': 'SUMMER-26',
      }),
    )
  })

  test('one language is enough', async () => {
    const value = { text: { pl: 'Tylko po polsku' } }
    expect(await change('promotion-banner', { value, enabled: true })).toMatchObject({ value, enabled: true })
  })

  test.each<[string, object, string]>([
    ['contest-event', { value: 'yes' }, 'value'],
    ['panel-announcement', { value: { text: {} } }, 'value.text'],
    ['panel-announcement', { value: null, rules: [], enabled: true }, 'value'],
    ['panel-announcement', { value: { text: texts, community_url: 'javascript:alert(1)' } }, 'value.community_url'],
    ['redirect-modal', { value: { title: texts, text: texts, to: '//evil.example' } }, 'value.to'],
    ['featured-projects', { value: ['Not A Slug'] }, 'value.0'],
    ['demo-server', { value: 'not.a.name' }, 'value'],
    ['promotion-extra-code', { value: 'x'.repeat(65) }, 'value'],
    ['contest-event', { rules: [{ percentage: 50, value: 1 }] }, 'rules.0.value'],
    ['contest-event', { rules: [{ percentage: 101, value: true }] }, 'rules.0.percentage'],
    ['contest-event', { rules: [{ countries: ['QQ'], value: true }] }, 'rules.0.countries.0'],
    ['contest-event', { rules: [{ value: true }] }, 'rules.0'],
    ['contest-event', { enabled: true, owner: 'me' }, 'body'],
    ['contest-event', {}, 'body'],
  ])('is refused a bad value of %s: %j', async (key, body, field) => {
    const before = await admin.call(routes.listFlags, {})
    const error = (await change(key, body).catch((fault: unknown) => fault)) as ApiError
    expect(error.body.error).toBe('invalid_request')
    expect(Object.keys(error.body.fields ?? {})).toContain(field)
    expect(await admin.call(routes.listFlags, {})).toEqual(before)
  })

  test('cannot change what there is not', async () => {
    const error = (await change('no-such-flag', { enabled: true }).catch((fault: unknown) => fault)) as ApiError
    expect(error.body.error).toBe('resource_not_found')
  })
})

describe('targeting', () => {
  const withRules = async (...rules: FlagRule[]) => {
    await change('contest-event', { enabled: true, value: false, rules })
    await until(async () => {
      const flag = (await admin.call(routes.listFlags, {})).find(({ key }) => key === 'contest-event')
      expect(flag?.rules).toEqual(rules)
    })
  }
  const contest = async (who: Parameters<typeof valuesFor>[0]) => (await valuesFor(who)).values['contest-event']

  test('by country, also one that was chosen, and by language', async () => {
    await withRules({ countries: ['DE', 'AT'], value: true }, { languages: ['pl'], value: true })
    await until(async () => expect(await contest({ ip: '2003::1' })).toBe(true))
    expect(await contest({ ip: '5.173.0.1' })).toBe(false)
    expect(await contest({ ip: '5.173.0.1', cookie: 'ws_country=AT' })).toBe(true)
    expect(await contest({ ip: '5.173.0.1', language: 'pl' })).toBe(true)
  })

  test('by user; all conditions of a rule must hold, and the first rule decides', async () => {
    const other = await api.signUp()
    await withRules({ users: [other.user.id], languages: ['de'], value: true })
    await until(async () => expect(await contest({ cookie: other.cookie(), language: 'de' })).toBe(true))
    expect(await contest({ cookie: other.cookie(), language: 'en' })).toBe(false)
    expect(await contest({ cookie: admin.cookie(), language: 'de' })).toBe(false)
    expect(await contest({ language: 'de' })).toBe(false)
    await withRules({ languages: ['de'], value: false }, { users: [other.user.id], value: true })
    await until(async () => expect(await contest({ cookie: other.cookie(), language: 'en' })).toBe(true))
    expect(await contest({ cookie: other.cookie(), language: 'de' })).toBe(false)
  })

  test('by share: a visitor is given a key and stays where they are', async () => {
    expect((await valuesFor({})).setCookie).toBe('') // nobody is told apart without need
    await withRules({ percentage: 50, value: true })
    await until(async () => expect((await valuesFor({})).setCookie).toMatch(/^ws_visitor=[\w-]{22};.*HttpOnly/))
    for (let visitor = 0; visitor < 20; visitor++) {
      const { call, cookie } = createCookieClient(api.origin)
      const first = (await call(routes.getFlagValues, {}))['contest-event']
      const key = /ws_visitor=([\w-]+)/.exec(cookie())?.[1] ?? ''
      expect(first).toBe(shareOf('contest-event', key) < 50)
      expect((await call(routes.getFlagValues, {}))['contest-event']).toBe(first)
    }
    // A key that is none of ours is replaced.
    expect((await valuesFor({ cookie: 'ws_visitor=forged' })).setCookie).toMatch(/^ws_visitor=/)
  })

  test('a share is dealt evenly, grows without losing anybody, and differs between flags', () => {
    const keys = Array.from({ length: 4000 }, (_, index) => `visitor-${index}`)
    const inShare = (flag: string, percentage: number) => new Set(keys.filter((key) => shareOf(flag, key) < percentage))
    const ten = inShare('pay-later', 10)
    const thirty = inShare('pay-later', 30)
    expect(ten.size).toBeGreaterThan(320)
    expect(ten.size).toBeLessThan(480)
    expect([...ten].every((key) => thirty.has(key))).toBe(true)
    expect(inShare('contest-event', 30)).not.toEqual(thirty)
    expect(inShare('pay-later', 0).size).toBe(0)
    expect(inShare('pay-later', 100).size).toBe(keys.length)
  })
})

describe('another process', () => {
  const logger = createLogger({ part: 'test', level: 'silent' })
  const subject = { key: undefined, userId: undefined, country: 'PL', language: 'pl' }
  let channels: Channels
  let other: FeatureFlags
  beforeAll(async () => {
    const { db, databaseUrl } = api.context
    channels = openChannels({ url: databaseUrl, logger })
    other = await openFlags({ db, channels, logger })
  })
  afterAll(async () => {
    await other.close()
    await channels.close()
  })

  test('learns of a change at once', async () => {
    expect((await other.evaluate(subject))['pay-later']).toBe(false)
    await change('pay-later', { enabled: true })
    await until(async () => expect((await other.evaluate(subject))['pay-later']).toBe(true))
    await change('pay-later', { value: false })
    await until(async () => expect((await other.evaluate(subject))['pay-later']).toBe(false))
  })

  test('does not miss one that was made while its connection was lost', async () => {
    expect((await other.evaluate(subject))['nps-age-input']).toBe(false)
    await api.context.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'listens'`,
    )
    await change('nps-age-input', { enabled: true })
    await until(async () => expect((await other.evaluate(subject))['nps-age-input']).toBe(true))
  })

  test('gives what applies while off for a row that no longer fits, and for one that is gone', async () => {
    const { pool } = api.context.database
    await change('promotion-extra-code', { enabled: true, value: 'GOOD' })
    await until(async () => expect((await other.evaluate(subject))['promotion-extra-code']).toBe('GOOD'))
    await pool.query(`update flags set value = '42' where key = 'promotion-extra-code'`)
    await until(async () => expect((await other.evaluate(subject))['promotion-extra-code']).toBe(''))
    await pool.query(`delete from flags where key = 'promotion-extra-code'`)
    await until(async () => expect((await other.evaluate(subject))['promotion-extra-code']).toBe(''))
    const again = await openFlags(api.context)
    await again.close()
    expect(await admin.call(routes.listFlags, {})).toHaveLength(flagKeys.length)
  })
})

test('whoever is no administrator can neither list nor change', async () => {
  const customer = await api.signUp()
  for (const call of [
    customer.call(routes.listFlags, {}),
    customer.call(routes.changeFlag, { params: { key: 'contest-event' }, body: { enabled: true } }),
  ])
    await expect(call).rejects.toMatchObject({ body: { error: 'insufficient_capabilities' } })
  const stranger = createApiClient((path, init) => fetch(`${api.origin}${path}`, init))
  await expect(stranger(routes.listFlags, {})).rejects.toMatchObject({ body: { error: 'unauthorized' } })
})
