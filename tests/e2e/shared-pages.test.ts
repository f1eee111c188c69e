/** Nobody is ever shown a page that was made for another; whoever would be shown the same is shown the same one. */
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginViewAs } from '@wakestone/contract/admin/admin-routes'
import { changeFlag, listFlags } from '@wakestone/contract/site/flags-routes'
import { logout } from '@wakestone/contract/accounts/users-routes'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startTestApi({ PUBLIC_URL: 'https://wakestone.example' }, { pages: true })
  admin = await api.signUp({ admin: true })
})
afterAll(() => api.close())

const polish = '5.173.0.1'
const german = '2003::1'
type Visit = { ip?: string; cookie?: string; host?: string; headers?: Record<string, string> }

async function visit(path: string, { ip = polish, cookie = '', host = 'wakestone.example', headers = {} }: Visit = {}) {
  const answer = await api.api.app.inject({
    url: path,
    headers: { host, cookie, accept: 'text/html', ...headers },
    remoteAddress: ip,
  })
  const { etag, vary, 'content-security-policy': policy = '', 'cache-control': caching } = answer.headers
  const set = [answer.headers['set-cookie'] ?? []].flat()
  return { status: answer.statusCode, text: answer.body, raw: answer.rawPayload, etag, vary, policy, caching, set }
}
/** Not `toMatch`: a page in a message of failure hides what failed. */
const shows = ({ text }: { text: string }, what: RegExp | string) =>
  typeof what === 'string' ? text.includes(what) : what.test(text)
const isKept = ({ etag }: Awaited<ReturnType<typeof visit>>) => etag !== undefined
const known = (etag: string | undefined) => ({ 'if-none-match': etag ?? 'none' })
/** Other processes are told a moment later; so are the pages. */
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
const query = (text: string, values: unknown[] = []) => api.context.database.pool.query(text, values)
const setPrice = (amount: number) =>
  query(`update prices set amount = $1 where (product_id, currency, period) = ('GRASS', 'PLN', '720h')`, [amount])
const flag = (key: string, body: Parameters<typeof admin.call<typeof changeFlag>>[1]['body']) =>
  admin.call(changeFlag, { params: { key }, body })
const banner = (word: string) => ({ text: { en: word, pl: word, de: word } })

/** Every visit that a page tells apart, and a word that only its page has. */
const visits: Record<string, [path: string, visit: Visit, mark: RegExp]> = {
  english: ['/en', {}, /<html lang="en"/],
  'in Polish': ['/pl', {}, /<html lang="pl"/],
  'in German': ['/de', {}, /<html lang="de"/],
  'another page': ['/en/offers', {}, /<h1>Plans/],
  'with a query': ['/en?cookies=choose', {}, /Analytics/],
  'a longer period': ['/en/offers?period=8760h', {}, /8760h/],
  'from Germany': ['/en', { ip: german }, /Germany/],
  'having chosen Austria': ['/en', { cookie: 'ws_country=AT' }, /Austria/],
  'in dollars': ['/en', { cookie: 'ws_currency=USD' }, /US?\$/],
  'with consent to all': [
    '/en',
    {
      cookie: `ws_consent=${encodeURIComponent(
        JSON.stringify({
          version: 1,
          ad_storage: true,
          analytics_storage: true,
          ad_user_data: true,
          ad_personalization: true,
        }),
      )}`,
    },
    /^(?!.*data-consent)/s,
  ],
  'with consent to nothing': [
    '/en',
    { cookie: `ws_consent=${encodeURIComponent(JSON.stringify({ version: 1 }))}` },
    /^(?!.*data-consent)/s,
  ],
  'in another time zone': ['/en', { cookie: 'ws_time_zone=Pacific%2FKiritimati' }, /Kiritimati/],
  'on a host without German': ['/en', { host: 'elsewhere.example' }, /^(?!.*hreflang="de")/is],
  'data only': ['/en.data', {}, /"products"/],
}

describe('a visitor without a session', () => {
  test('is shown the page that was kept, and none whose key differs in anything', async () => {
    const first = await Promise.all(Object.values(visits).map(([path, who]) => visit(path, who)))
    const tags = first.map(({ etag }) => etag)
    expect(new Set(tags).size).toBe(tags.length)
    expect(tags).not.toContain(undefined)
    for (const [index, [path, who, mark]] of Object.values(visits).entries()) {
      expect(first[index]!.status, path).toBe(200)
      expect(shows(first[index]!, mark), path + JSON.stringify(who)).toBe(true)
      const again = await visit(path, who)
      expect([again.text === first[index]!.text, again.etag]).toEqual([true, first[index]!.etag])
      expect(again.set).toEqual([])
      // 304 for this key, and for no other.
      for (const [other, etag] of tags.entries()) {
        const { status, text } = await visit(path, { ...who, headers: known(etag) })
        expect([status, text === ''], `${path}, given the tag of ${other}`).toEqual(
          other === index ? [304, true] : [200, false],
        )
      }
    }
  })

  test.each([
    ['a cookie of somebody else’s making', { cookie: 'other=1; ws_preview=1; ws_debug=1; ws_language=de; ws_login=x' }],
    ['a theme', { cookie: 'mantine-color-scheme-value=dark', headers: { 'sec-ch-prefers-color-scheme': 'dark' } }],
    ['another browser', { headers: { 'user-agent': 'Googlebot', 'accept-language': 'de', authorization: 'Bearer x' } }],
    ['another Polish address', { ip: '5.173.255.1' }],
    ['consent that nobody understands', { cookie: 'ws_consent=%E0%A4; ws_time_zone=%E0; ws_currency=XAU' }],
  ])('is shown the same one with %s', async (_, who) => {
    const plain = await visit('/en')
    expect((await visit('/en', who)).etag).toBe(plain.etag)
    expect(plain.caching).toBe('private, no-cache')
    expect(plain.vary).toBe('Cookie, Accept-Language, Accept-Encoding')
  })

  test('has its scripts let in by what they are, since no nonce may be shared', async () => {
    const { text, policy } = await visit('/pl')
    expect(shows({ text: policy + text }, /nonce[-=]/)).toBe(false)
    const inline = [...text.matchAll(/<script(?![^>]*(?:\bsrc=|ld\+json))[^>]*>([\s\S]+?)<\/script>/g)]
    expect(inline.length).toBeGreaterThan(2)
    for (const [, script = ''] of inline)
      expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    expect(policy).toMatch(/script-src 'self' 'sha256-/)
    // Data for a page that is already there has none.
    expect((await visit('/pl.data')).policy).toContain("script-src 'self';")
  })

  test('is sent it compressed as they can read it', async () => {
    const plain = await visit('/de')
    const br = await visit('/de', { headers: { 'accept-encoding': 'gzip, br' } })
    const gzip = await visit('/de', { headers: { 'accept-encoding': 'gzip' } })
    expect(brotliDecompressSync(br.raw).equals(plain.raw)).toBe(true)
    expect(gunzipSync(gzip.raw).equals(plain.raw)).toBe(true)
    expect(br.raw.length).toBeLessThan(plain.raw.length / 4)
    expect([br.etag, gzip.etag]).toEqual([plain.etag, plain.etag])
  })

  test.each(['/en/no-such-page', '/en/messages/register', '/en/newsletter/confirm?code=x', '/', '/en/country'])(
    'is answered anew at %s',
    async (path) => expect(isKept(await visit(path))).toBe(false),
  )
})

describe('whoever is signed in', () => {
  test('is shown their own page, whoever came before', async () => {
    const [ann, ben] = [await api.signUp(), await api.signUp()]
    const visitors = await visit('/en')
    const pages = await Promise.all(
      [ann, ben, ann].map(({ cookie }) => visit('/en', { cookie: cookie(), headers: known(visitors.etag) })),
    )
    for (const [index, one] of [ann, ben, ann].entries()) {
      const other = one === ann ? ben : ann
      expect(pages[index]!.status).toBe(200)
      expect(isKept(pages[index]!)).toBe(false)
      expect(shows(pages[index]!, one.user.username)).toBe(true)
      expect(shows(pages[index]!, other.user.username)).toBe(false)
      expect(pages[index]!.policy).toMatch(/'nonce-[\w+/=]{24}'/)
    }
    expect(new Set(pages.map(({ policy }) => policy)).size).toBe(3)
    const after = await visit('/en')
    expect([after.etag, after.text === visitors.text]).toEqual([visitors.etag, true])
    expect(shows(after, new RegExp(`${ann.user.username}|${ben.user.username}`))).toBe(false)
    const cookie = ann.cookie()
    await ann.call(logout, {})
    // What is left of a session is no longer theirs, and nobody's kept page either.
    await until(async () => expect(shows(await visit('/en', { cookie }), ann.user.username)).toBe(false))
    expect(isKept(await visit('/en', { cookie }))).toBe(false)
  })

  test('is shown another’s page only while they see the panel as that user', async () => {
    const owner = await api.signUp()
    const boss = await api.signUp({ admin: true })
    const before = await visit('/en')
    await boss.call(beginViewAs, { params: { id: owner.user.id } })
    const viewed = await visit('/en', { cookie: boss.cookie(), headers: known(before.etag) })
    expect(shows(viewed, owner.user.username)).toBe(true)
    expect(isKept(viewed)).toBe(false)
    const preview = await visit('/en', { cookie: `${admin.cookie()}; ws_preview=1` })
    expect(shows(preview, admin.user.username)).toBe(true)
    expect(isKept(preview)).toBe(false)
    expect((await visit('/en')).text === before.text).toBe(true)
  })

  test.each(['__Host-ws_access=forged', '__Host-ws_refresh=forged', '__Host-ws_view_as=forged'])(
    'is what %s claims',
    async (cookie) => {
      const { status, etag } = await visit('/en', { cookie })
      expect([status, etag]).toEqual([200, undefined])
    },
  )
})

describe('flags', () => {
  const off = async () => {
    for (const { key, enabled } of await admin.call(listFlags, {}))
      if (enabled) await flag(key, { enabled: false, rules: [] })
  }

  test('by user and by country show in no other page', async () => {
    const chosen = await api.signUp()
    const before = await visit('/en')
    await flag('promotion-banner', {
      enabled: true,
      value: null,
      rules: [
        { users: [chosen.user.id], value: banner('For the chosen') },
        { countries: ['DE'], value: banner('For Germans') },
      ],
    })
    expect(shows(await visit('/en', { cookie: chosen.cookie() }), 'For the chosen')).toBe(true)
    expect(shows(await visit('/en', { ip: german }), 'For Germans')).toBe(true)
    const poles = await visit('/en')
    expect([poles.etag, poles.text === before.text]).toEqual([before.etag, true])
    await off()
    expect(shows(await visit('/en', { ip: german }), 'For Germans')).toBe(false)
  })

  test('by share give each visitor a key of their own, and each side its page', async () => {
    await flag('promotion-banner', {
      enabled: true,
      value: null,
      rules: [{ percentage: 50, value: banner('For the half') }],
    })
    const sides = new Map<boolean, string | undefined>()
    const keys = new Set<string>()
    for (let visitor = 0; visitor < 200 && sides.size < 2; visitor++) {
      const first = await visit('/en')
      expect([isKept(first), first.set.length]).toEqual([false, 1])
      const cookie = first.set[0]!.split(';')[0]!
      expect(keys.has(cookie)).toBe(false)
      keys.add(cookie)
      const again = await visit('/en', { cookie })
      expect([isKept(again), again.set]).toEqual([true, []])
      expect(again.text.includes('For the half')).toBe(first.text.includes('For the half'))
      sides.set(again.text.includes('For the half'), again.etag)
    }
    expect(new Set(sides.values()).size).toBe(2)
    await off()
  })

  test('are seen at once when they change, here and by way of the database', async () => {
    await visit('/pl')
    await flag('promotion-banner', { enabled: true, value: banner('From today'), rules: [] })
    expect(shows(await visit('/pl'), 'From today')).toBe(true)
    await query(`update flags set value = $1 where key = 'promotion-banner'`, [JSON.stringify(banner('Once more'))])
    await until(async () => expect(shows(await visit('/pl'), 'Once more')).toBe(true))
    await off()
    expect(shows(await visit('/pl'), 'Once more')).toBe(false)
  })

  test('say that a promotion is over when it is', async () => {
    const endsAt = new Date(Date.now() + 1500).toISOString()
    await flag('promotion-banner', { enabled: true, value: { ...banner('Soon over'), ends_at: endsAt }, rules: [] })
    expect(shows(await visit('/en'), '<aside')).toBe(true)
    await until(async () => expect(shows(await visit('/en'), /<aside[^>]*>Soon over/)).toBe(false))
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(endsAt))
    await off()
  })
})

describe('consent', () => {
  test('given is seen on the next page, and so is its end', async () => {
    const asked = await visit('/en/contact')
    expect(shows(asked, 'data-consent')).toBe(true)
    const post = (choice: string, cookie: string) =>
      api.api.app.inject({
        method: 'POST',
        url: '/consent',
        headers: {
          host: 'wakestone.example',
          origin: 'https://wakestone.example',
          'content-type': 'application/x-www-form-urlencoded',
          cookie,
        },
        payload: `choice=${choice}&back=%2Fen%2Fcontact`,
      })
    const cookieOf = (answer: Awaited<ReturnType<typeof post>>) => String(answer.headers['set-cookie']).split(';')[0]!
    const given = cookieOf(await post('all', ''))
    const with_ = await visit('/en/contact', { cookie: given, headers: known(asked.etag) })
    expect([with_.status, with_.text.includes('data-consent')]).toEqual([200, false])
    const taken = cookieOf(await post('necessary', given))
    const without = await visit('/en/contact', { cookie: taken, headers: known(with_.etag) })
    expect([without.status, without.etag === with_.etag]).toEqual([200, false])
    expect((await visit('/en/contact')).etag).toBe(asked.etag)
  })
})

describe('a change', () => {
  test('of a price is seen at once, by a new tag', async () => {
    const before = await visit('/pl/offers')
    await setPrice(3333)
    await until(async () => {
      const after = await visit('/pl/offers', { headers: known(before.etag) })
      expect([after.status, shows(after, /41(?:,00)?\s*zł/)]).toEqual([200, true]) // 33.33 and 23 %
    })
  })

  test('of products, taxes and places is seen at once', async () => {
    const priceless = async () => expect(shows(await visit('/pl'), /41(?:,00)?\s*zł/)).toBe(false)
    const priced = async () => expect(shows(await visit('/pl'), /41(?:,00)?\s*zł/)).toBe(true)
    await until(priced)
    await query(`update products set visible = false where id = 'GRASS'`)
    await until(priceless)
    await query(`update products set visible = true where id = 'GRASS'`)
    await until(priced)
    await query(`update clusters set disabled = true`)
    await until(priceless)
    await query(`update clusters set disabled = false`)
    await until(priced)
    await query(`insert into tax_rates (country_code, valid_from, rate) values ('PL', current_date - 1, 0.5)`)
    await until(async () => expect(shows(await visit('/pl'), /50(?:,00)?\s*zł/)).toBe(true)) // 49.995, rounded up
  })

  test('of a document is seen by the very next visit', async () => {
    const folder = join(api.dataDir, 'content/legal/store-terms')
    mkdirSync(folder, { recursive: true })
    const write = (version: string) =>
      writeFileSync(
        join(folder, 'en.md'),
        `---\ntitle: House rules\nversion: ${version}\ndate: 2026-01-01\n---\n\n## Only\n\nEdition ${version}.\n`,
      )
    const read = async () => /Edition [\d.]+\d/.exec((await visit('/en/store-terms')).text)?.[0]
    expect(await read()).toBeUndefined()
    write('1.0')
    expect([await read(), await read()]).toEqual(['Edition 1.0', 'Edition 1.0'])
    expect(isKept(await visit('/en/store-terms'))).toBe(true)
    write('2.0.1')
    expect(await read()).toBe('Edition 2.0.1')
    rmSync(folder, { recursive: true })
    expect(await read()).toBeUndefined()
  })

  test('is not missed while the database’s word does not arrive', async () => {
    const amounts = [4000, 5000, 6000]
    for (const amount of amounts) {
      await query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'listens'`,
      )
      await setPrice(amount)
      const gross = (amount * 1.5) / 100
      await until(async () => expect(shows(await visit('/pl/offers'), new RegExp(`${gross}(?:,00)?\\s*zł`))).toBe(true))
    }
  })
})

test('a page that lacks a part is not kept', async () => {
  await query('alter table price_history rename to away')
  try {
    // Whatever was kept of it is dropped first.
    await query(`update products set position = position where id = 'FREE'`)
    await until(async () => {
      const broken = await visit('/en/offers?period=2160h')
      expect([broken.status, isKept(broken)]).toEqual([200, false])
    })
  } finally {
    await query('alter table away rename to price_history')
  }
  // Nothing is kept either until the database is listened to again, which the tests before have interrupted.
  await until(async () => {
    const whole = await visit('/en/offers?period=2160h')
    expect(shows(whole, 'PLN')).toBe(true)
    expect(isKept(whole)).toBe(true)
  })
})
