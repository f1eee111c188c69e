/** Every mail there is, in each language, as a real mail server receives and a mail program reads it. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  isChannelFixed,
  kindSpecs,
  type NotificationKind,
  notificationKindNames,
} from '@wakestone/contract/ground/notification-kinds'
import type { FieldFormat } from '@wakestone/contract/ground/notification-kinds/kind'
import { languages } from '@wakestone/contract/primitives'
import * as account from '@wakestone/contract/accounts/account-routes'
import * as notifications from '@wakestone/contract/ground/notifications-routes'
import * as security from '@wakestone/contract/accounts/security-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import { type Caller, createCookieClient, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { verifyDkim } from '../../../../../../tests/support/dkim.ts'
import { isLong, someOf } from '../../../../../../tests/support/long.ts'
import { type MailServer, type Received, startMailServer } from '../../../../../../tests/support/smtp.ts'
import { inTransaction } from '#src/db/client.ts'
import { texts } from './render.ts'
import { notify } from './service.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

const dkim = generateKeyPairSync('rsa', { modulusLength: 2048 })
const keyDir = mkdtempSync(join(tmpdir(), 'ws-dkim-'))
let api: TestApi
let mails: MailServer
beforeAll(async () => {
  const keyFile = join(keyDir, 'dkim.pem')
  writeFileSync(keyFile, dkim.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  mails = await startMailServer()
  api = await startTestApi(
    {
      MAIL_URL: mails.url,
      MAIL_FROM: 'Wakestone <hello@wakestone.test>',
      OPERATOR_NAME: 'Łąka & Söhne',
      SELLER_ADDRESS: 'ul. Długa 1',
      SELLER_POSTAL_CODE: '80-001',
      SELLER_CITY: 'Gdańsk',
      MAIL_DKIM_DOMAIN: 'wakestone.test',
      MAIL_DKIM_SELECTOR: 'k1',
      MAIL_DKIM_KEY_FILE: keyFile,
    },
    { mails: true },
  )
})
afterAll(async () => {
  await api.close()
  await mails.close()
  rmSync(keyDir, { recursive: true })
})

const samples: Record<FieldFormat, unknown> = {
  text: 'Łąka <b>& Söhne</b>',
  word: 'out_of_memory',
  number: 3,
  reference: 1001,
  product: 'EXTRA_MEMORY_4G',
  days: 3,
  hours: 24,
  bytes: 1_610_612_736,
  money: { amount: 4999, currency: 'PLN' },
  items: [
    { product: 'GRASS', price: { amount: 1999, currency: 'PLN' } },
    { product: 'EXTRA_PORTS_2', price: { amount: 3000, currency: 'PLN' } },
  ],
  time: '2027-03-01T18:30:00Z',
  device: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  country: 'PL',
}
const serverId = '0190a0a0-0000-7000-8000-000000000001'
const told = notificationKindNames.filter((kind) => !kindSpecs[kind].mailOnly)

const tell = (caller: Caller, kind: NotificationKind) =>
  inTransaction(api.context.db, (trx) =>
    notify(trx, {
      userId: caller.user.id,
      kind,
      fields: Object.fromEntries(
        Object.entries({ ...kindSpecs[kind].fields, ...kindSpecs[kind].optional }).map(([name, format]) => [
          name,
          samples[format],
        ]),
      ) as never,
      resource: { type: 'server', id: serverId },
    }),
  )
const addressOf = (to: string, subject?: string) => (message: Received) =>
  message.to === to && (subject === undefined || message.mail.subject === subject)
const header = ({ mail }: Received, name: string) => mail.headers.find(({ key }) => key === name)?.value
const linksIn = (text: string | undefined) => [...(text ?? '').matchAll(/https?:\/\/[^\s"<]+/g)].map(([link]) => link)

/** What holds of every mail. */
function checkMail(message: Received, language: string) {
  const { mail, raw, isEncrypted } = message
  expect(isEncrypted).toBe(true)
  expect(verifyDkim(raw, dkim.publicKey)).toMatchObject({ d: 'wakestone.test', s: 'k1' })
  expect(mail.from).toMatchObject({ name: 'Wakestone', address: 'hello@wakestone.test' })
  expect(mail.subject).toMatch(/^.{4,}$/)
  expect(header(message, 'auto-submitted')).toBe('auto-generated')
  expect(mail.text).toMatch(/\S{3}/)
  expect(mail.html).toContain(`<html lang="${language}">`)
  expect(mail.html).toContain('name="viewport"')
  expect(mail.html).not.toContain('<b>') // what people wrote is text
  // Who sends it, by name and address.
  expect(mail.text).toMatch(/\n-- \nŁąka & Söhne\nul\. Długa 1, 80-001 Gdańsk\n*$/)
  expect(mail.html).toContain('Łąka &amp; Söhne<br>ul. Długa 1, 80-001 Gdańsk')
  for (const part of [mail.subject, mail.text, mail.html]) expect(part).not.toMatch(/\{\w+\}|undefined|null|NaN/)
  const links = [...new Set(linksIn(mail.html).map((link) => link.replaceAll('&amp;', '&')))]
  for (const link of links) expect(mail.text).toContain(link)
}

describe.each(someOf(languages, 1))('in %s', (language) => {
  test('every kind is mailed once, with both parts', async () => {
    const caller = await api.signUp()
    const { id, email } = caller.user
    const { db } = api.context
    await db.updateTable('users').set({ language }).where('id', '=', id).execute()
    const wanted = told.map((kind) => ({ user_id: id, kind, channel: 'mail', wanted: true }))
    await db.insertInto('notification_choices').values(wanted).execute()
    for (const kind of told) await tell(caller, kind)

    // The one of the registration was in another language, before.
    const mine = () => mails.received.filter((one) => one.to === email && !one.mail.html?.includes('/email/confirm'))
    await expect.poll(() => mine().length, { timeout: 30_000 }).toBe(told.length)
    for (const message of mine()) checkMail(message, language)
    expect(new Set(mine().map((message) => header(message, 'message-id'))).size).toBe(told.length)
    for (const kind of told) {
      const [start = ''] = texts[language].kinds[kind].title.split('{')
      expect(mine().some(({ mail }) => mail.subject?.startsWith(start))).toBe(true)
    }
  })

  test('links and codes open what they say, once', async () => {
    const { call } = createCookieClient(api.origin)
    const username = `reader_${language}`
    const email = `${username}@example.test`
    const codeOf = ({ mail }: Received) => decodeURIComponent(/code=(\S+)/.exec(mail.text ?? '')?.[1] ?? '')
    const find = (subject: string, to = email) => mails.waitFor(addressOf(to, subject), subject)
    const said = texts[language].kinds
    const body = { username, email, password: 'correct horse battery', language, accepted_tos: true }
    await call(users.register, { body })

    const confirm = await find(said.ACCOUNT_EMAIL_CONFIRM.title)
    checkMail(confirm, language)
    expect(linksIn(confirm.mail.text)[0]).toContain(`/${language}/email/confirm?code=`)
    await call(users.confirmEmail, { body: { code: codeOf(confirm) } })
    expect(await outcomeOf(call(users.confirmEmail, { body: { code: codeOf(confirm) } }))).toBe(
      'email_already_verified',
    )

    await call(account.beginPasswordReset, { body: { email } })
    const reset = await find(said.RESET_PASSWORD.title)
    checkMail(reset, language)
    const choose = () =>
      call(account.finishPasswordReset, { body: { code: codeOf(reset), password: 'a new pair of boots' } })
    await choose()
    expect(await outcomeOf(choose())).toBe('user_code_expired')
    checkMail(await find(said.PASSWORD_CHANGED.title), language)

    for (const [to, heading] of [
      [email, said.FAST_LOGIN.heading ?? said.FAST_LOGIN.title],
      [`new-${email}`, said.FAST_REGISTER.heading],
    ] as const) {
      const browser = createCookieClient(api.origin)
      await browser.call(account.beginEmailLogin, { body: { email: to, language } })
      const message = await find(said.FAST_LOGIN.title, to)
      checkMail(message, language)
      expect(message.mail.text).toContain(heading)
      const code = /^(\d{4} \d{4})$/m.exec(message.mail.text ?? '')?.[1] ?? ''
      await browser.call(account.finishEmailLogin, { body: { code, accepted_tos: true } })
      expect(await outcomeOf(browser.call(account.finishEmailLogin, { body: { code, accepted_tos: true } }))).toBe(
        'no_code',
      )
    }
  })

  test.runIf(isLong)('so do those before what is dangerous', async () => {
    const email = `careful_${language}@example.test`
    const moved = `moved-${email}`
    const { call } = createCookieClient(api.origin)
    const said = texts[language].kinds
    const find = (subject: string, to = email) => mails.waitFor(addressOf(to, subject), subject)
    const digitsOf = ({ mail }: Received) => /^(\d{4} \d{4})$/m.exec(mail.text ?? '')?.[1] ?? ''
    // An account that has nothing but its mailbox.
    await call(account.beginEmailLogin, { body: { email, language } })
    const welcome = digitsOf(await find(said.FAST_REGISTER.title))
    await call(account.finishEmailLogin, { body: { code: welcome, accepted_tos: true } })

    await call(security.mailStepUp, {})
    const proof = await find(said.STEP_UP.title)
    checkMail(proof, language)
    const prove = () => outcomeOf(call(security.stepUp, { body: { method: 'mail', code: digitsOf(proof) } }))
    expect(await prove()).toBe('success')
    expect(await prove()).toBe('user_code_expired')

    await call(account.resendDeletionCode, {})
    const end = await find(said.ACCOUNT_DELETE_CONFIRM.title)
    checkMail(end, language)
    const confirmEnd = () => outcomeOf(call(account.confirmDeletion, { query: { code: digitsOf(end) } }))
    expect(await confirmEnd()).toBe('success')
    expect(await confirmEnd()).not.toBe('success')
    checkMail(await find(said.DELETION_SCHEDULED.title), language)
    await call(account.cancelDeletion, {})

    await call(account.changeEmail, { body: { email: moved } })
    const change = await find(said.ACCOUNT_EMAIL_CHANGE.title, moved)
    checkMail(change, language)
    const [link = ''] = linksIn(change.mail.text)
    const code = decodeURIComponent(/code=(\S+)/.exec(link)?.[1] ?? '')
    const take = () => outcomeOf(createCookieClient(api.origin).call(users.confirmEmail, { body: { code } }))
    expect(await take()).toBe('success')
    expect(await take()).not.toBe('success')
    checkMail(await find(said.EMAIL_CHANGED.title), language) // to the address that it was
  })
})

test('a mail that may be switched off says how, to people and to mail programs', async () => {
  const caller = await api.signUp()
  const { email, id } = caller.user
  await tell(caller, 'SERVER_MIGRATED')
  await tell(caller, 'SESSION_STOLEN')
  const optional = await mails.waitFor(addressOf(email, `${samples.text} has moved`), 'SERVER_MIGRATED')
  const fixed = await mails.waitFor(addressOf(email, texts.en.kinds.SESSION_STOLEN.title), 'SESSION_STOLEN')

  expect(header(fixed, 'list-unsubscribe')).toBeUndefined()
  expect(header(optional, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
  const address = /^<(.+)>$/.exec(header(optional, 'list-unsubscribe') ?? '')?.[1] ?? ''
  expect(optional.mail.text).toContain(address)
  expect(optional.mail.text).toMatch(/^Notification settings: \S+\/en\/account\/settings\/notifications$/m)
  expect(fixed.mail.text).not.toContain('Notification settings')
  const code = new URL(address).searchParams.get('code') ?? ''

  const stop = (given: string) => api.anonymous(notifications.unsubscribeFromMails, { body: { code: given } })
  await expect(stop(code.replace('SERVER_MIGRATED', 'SERVER_RESCUED'))).rejects.toThrow('no_code')
  expect(await stop(code)).toEqual({ kind: 'SERVER_MIGRATED' })
  expect(await stop(code)).toEqual({ kind: 'SERVER_MIGRATED' })
  const { kinds } = await caller.call(notifications.getNotificationSettings, { params: { userId: id } })
  const chosen = kinds.find(({ kind }) => kind === 'SERVER_MIGRATED')?.channels
  expect(chosen?.mail).toEqual({ on: false, fixed: isChannelFixed('SERVER_MIGRATED', 'mail') })
  expect(chosen?.panel.on).toBe(true)
})

test('figures of a purchase are a table, and its terms are a link away', async () => {
  const caller = await api.signUp()
  await tell(caller, 'SERVER_RENEWED')
  const subject = `${samples.text} has been renewed`
  const { mail } = await mails.waitFor(addressOf(caller.user.email, subject), subject)
  const [, table = ''] = /\n\n(Runs until[\s\S]+?)\n\n/.exec(mail.text ?? '') ?? []
  expect(table.replaceAll('\u00a0', ' ').split('\n').slice(0, 5)).toEqual([
    'Runs until:     1 March 2027 at 19:30 CET',
    'Grass:          PLN 19.99',
    '2 more ports:   PLN 30.00',
    'Total:          PLN 49.99',
    'Including VAT:  PLN 49.99',
  ])
  expect(mail.html).toMatch(/<th scope="row"[^>]*>Total<\/th><td[^>]*>[^<]*49\.99<\/td>/)
  expect(mail.text).toMatch(/^Terms of service: \S+\/en\/terms-of-service$/m)
  expect(mail.text).toMatch(/^Terms of payment: \S+\/en\/terms-and-conditions$/m)
})

test.runIf(isLong)('a mail server in trouble is tried again', async () => {
  const caller = await api.signUp()
  const { db } = api.context
  mails.refuse(1)
  const id = await tell(caller, 'DELETION_SCHEDULED')
  const delivery = () =>
    db
      .selectFrom('notification_deliveries')
      .select(['state', 'tries', 'last_error'])
      .where('notification_id', '=', id ?? '')
      .executeTakeFirstOrThrow()
  await expect.poll(async () => (await delivery()).last_error).toContain('Try again later')
  expect(await delivery()).toMatchObject({ state: 'waiting', tries: 1 })
  await db
    .updateTable('notification_deliveries')
    .set({ next_at: new Date(0) })
    .where('state', '=', 'waiting')
    .execute()
  await expect.poll(delivery, { timeout: 10_000 }).toEqual({ state: 'sent', tries: 2, last_error: null })
})

describe('mails and notices', () => {
  const at = '2027-03-01T18:30:00Z'
  const expiry = (userId: string) =>
    inTransaction(api.context.db, (trx) => notify(trx, { userId, kind: 'DELETION_SCHEDULED', fields: { at } }))
  /** What an account was told of a moment: by mail, and in the panel in the account's own language. */
  async function toldTo({ call, user }: Caller) {
    await expiry(user.id)
    const { notifications: shown } = await call(notifications.listNotifications, { params: { id: user.id } })
    const subject = shown[0]?.title ?? ''
    return { mail: (await mails.waitFor(addressOf(user.email, subject), subject)).mail.text, panel: shown[0]?.text }
  }

  test('tell times by the seller’s clock until the account’s is known', async () => {
    const said = await toldTo(await api.signUp())
    expect(said.mail).toContain('1 March 2027 at 19:30 CET')
    expect(said.panel).toContain('1 March 2027 at 19:30 CET')
  })

  test('are in the language that the account has chosen, and by its clock', async () => {
    const caller = await api.signUp()
    const { id } = caller.user
    await caller.call(account.setLocale, { params: { id }, body: { language: 'pl' } })
    await caller.call(account.setLocale, { params: { id }, body: { time_zone: 'America/New_York' } })
    expect(await caller.call(users.verify, {})).toMatchObject({ language: 'pl', time_zone: 'America/New_York' })
    // Processes keep their callers in memory, and hear of the change a moment later.
    const listed = async () =>
      (await caller.call(notifications.listNotifications, { params: { id } })).notifications.map(({ title }) => title)
    await expiry(id)
    await expect.poll(listed).toEqual([texts.pl.kinds.DELETION_SCHEDULED.title])
    const said = await toldTo(caller)
    expect(said.mail).toContain('1 marca 2027 13:30 GMT-5')
    expect(said.panel).toContain('1 marca 2027 13:30 GMT-5')
  })

  test('what is no language or clock is refused, and nobody else’s is changed', async () => {
    const caller = await api.signUp()
    const other = await api.signUp()
    const set = (by: Caller, body: object) =>
      outcomeOf(by.call(account.setLocale, { params: { id: caller.user.id }, body }))
    expect(await set(caller, { language: 'fr' })).toBe('invalid_request')
    expect(await set(caller, { time_zone: 'Middle/Earth' })).toBe('invalid_request')
    expect(await set(other, { language: 'de' })).toBe('user_not_found')
    expect(await caller.call(users.verify, {})).toMatchObject({ language: 'en', time_zone: null })
  })

  test('a browser that is new is called by its name', async () => {
    const { user, password } = await api.signUp()
    const signInWith = (userAgent: string) =>
      fetch(`${api.origin}/api/v1/users/login/local`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': userAgent },
        body: JSON.stringify({ login: user.email, password }),
      })
    const { title } = texts.en.kinds.NEW_DEVICE
    await signInWith(
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
    )
    const { mail } = await mails.waitFor(addressOf(user.email, title), title)
    expect(mail.text).toContain('Browser: Chrome · Linux.')
    expect(mail.text).not.toContain('Mozilla')
    await signInWith('curl/8.5.0')
    const isUnknown = (message: Received) =>
      addressOf(user.email, title)(message) && message.mail.text?.includes('Browser: unknown browser.') === true
    await mails.waitFor(isUnknown, 'a mail about an unknown browser')
  })
})
