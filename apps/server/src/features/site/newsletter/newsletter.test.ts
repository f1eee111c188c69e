/** Getting on the newsletter's list and off it, through the front door and the mails. */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as routes from '@wakestone/contract/site/newsletter-routes'
import { createTicket } from '@wakestone/contract/accounts/support-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import { createCookieClient, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { linkIn, waitForMail } from '../../../../../../tests/support/mail.ts'
import { deleteDueAccounts } from '#src/features/accounts/accounts/deletion.ts'
import { registerSignInJobs } from '#src/features/accounts/sign-in/jobs.ts'
import { registerNewsletterJobs } from './jobs.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ LIMIT_NEWSLETTER: '0' })
  await registerNewsletterJobs(api.context)
  await registerSignInJobs(api.context)
})
afterAll(() => api.close())

const query = async (text: string, values: unknown[] = []) =>
  (await api.context.database.pool.query(text, values)).rows as Record<string, unknown>[]
const isOnList = async (email: string) => {
  const rows = await query(
    'select confirmed_at is not null and withdrawn_at is null as on_list from newsletter_subscriptions where email = $1',
    [email],
  )
  return rows[0]?.['on_list'] ?? false
}
const consents = (email: string) =>
  query(
    `select action, source, terms_version, host(address) as address from newsletter_consents
     join newsletter_subscriptions as s on s.id = subscription_id where s.email = $1 order by newsletter_consents.id`,
    [email],
  )
const codeIn = (link: string) => new URL(link).searchParams.get('code') ?? ''
const confirm = (code: string) => outcomeOf(api.anonymous(routes.confirmSubscription, { body: { code } }))
const leave = (code: string) => outcomeOf(api.anonymous(routes.unsubscribe, { body: { code } }))

/** Asks, and reads the codes out of the mail of that subject. */
async function ask(email: string, subject: string, language: 'en' | 'pl' | 'de' = 'en') {
  await api.anonymous(routes.subscribe, { body: { email, language } })
  const deadline = Date.now() + 20_000
  for (;;) {
    const mail = await waitForMail(api.dataDir, email.toLowerCase())
    if (mail.subject !== subject && Date.now() < deadline) {
      await delay(20)
      continue
    }
    expect(mail.subject).toBe(subject)
    const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? ''
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const leaveLink = /^<(.*)>$/.exec(header('list-unsubscribe'))?.[1] ?? ''
    expect(leaveLink).toContain(`/${language}/newsletter/unsubscribe?code=`)
    return { link: linkIn(mail), leaveCode: codeIn(leaveLink) }
  }
}
const asks = 'Confirm your newsletter sign-up'

test('nobody is on the list who did not confirm; a link works once; leaving is for good', async () => {
  const email = 'reader@example.test'
  const { link, leaveCode } = await ask(email, 'Potwierdź zapis na newsletter', 'pl')
  expect(link).toContain('/pl/newsletter/confirm?code=')
  expect(await isOnList(email)).toBe(false)
  expect(await confirm(codeIn(link))).toBe('success')
  expect(await isOnList(email)).toBe(true)
  expect(await confirm(codeIn(link))).toBe('email_already_verified')
  const evidence = { terms_version: '1.0', address: '127.0.0.1' }
  expect(await consents(email)).toEqual([
    { action: 'requested', source: 'form', ...evidence },
    { action: 'confirmed', source: 'mail', ...evidence },
  ])

  expect(await leave(leaveCode)).toBe('success')
  expect(await isOnList(email)).toBe(false)
  expect(await leave(leaveCode)).toBe('success')
  expect(await confirm(codeIn(link))).toBe('user_code_expired')
  expect((await consents(email)).map(({ action }) => action)).toEqual(['requested', 'confirmed', 'withdrawn'])

  const again = await ask(email, asks)
  expect(await confirm(codeIn(link))).toBe('user_code_expired') // the first mail's
  expect(await confirm(codeIn(again.link))).toBe('success')
  expect(await isOnList(email)).toBe(true)
})

test('an expired link and a forged one add nobody', async () => {
  const email = 'late@example.test'
  const { link, leaveCode } = await ask(email, asks)
  const code = codeIn(link)
  const [id, request, signature = ''] = code.split('.')
  const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  for (const bad of ['', 'x', `${id}.${request}.${flipped}`, `${request}.${id}.${signature}`, leaveCode, `${code}.`])
    expect(await confirm(bad), bad).toBe(bad === '' ? 'invalid_request' : 'no_code')
  expect(await leave(code)).toBe('no_code')
  await query(
    `update newsletter_subscriptions set requested_at = requested_at - interval '49 hours' where email = $1`,
    [email],
  )
  expect(await confirm(code)).toBe('user_code_expired')
  expect(await isOnList(email)).toBe(false)
})

test('the answer is the same for a known address; only its mailbox learns more', async () => {
  const email = 'known@example.test'
  const post = async (address: string) => {
    const response = await fetch(`${api.origin}/api/v1/newsletter`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: address }),
    })
    return [response.status, await response.text(), response.headers.get('set-cookie')]
  }
  const { link } = await ask(email, asks)
  await confirm(codeIn(link))
  expect(await post(email)).toEqual(await post('unknown@example.test'))
  const { leaveCode } = await ask('KNOWN@example.test', 'You already get our newsletter')
  expect(await isOnList(email)).toBe(true) // asking again took nothing away
  expect(await leave(leaveCode)).toBe('success')
})

test('a robot that fills in every field is thanked, and no mail goes out', async () => {
  await api.anonymous(routes.subscribe, { body: { email: 'robot@example.test', website: 'https://spam.example' } })
  // A mail is always about a subscription.
  expect(await query('select 1 from newsletter_subscriptions where email = $1', ['robot@example.test'])).toEqual([])
})

test('a user with a proven address agrees and leaves in the account', async () => {
  const { call, user } = await api.signUp()
  const set = (newsletter: boolean) => call(routes.setUserNewsletter, { params: { id: user.id }, body: { newsletter } })
  const shown = async () => (await call(users.verify, {})).newsletter
  expect(await shown()).toBeNull()
  await set(true)
  expect(await shown()).not.toBeNull()
  expect(await isOnList(user.email)).toBe(true)
  await set(true) // again changes nothing
  await set(false)
  expect(await shown()).toBeNull()
  expect(await isOnList(user.email)).toBe(false)
  expect((await consents(user.email)).map(({ action, source }) => `${action} ${source}`)).toEqual([
    'requested account',
    'confirmed account',
    'withdrawn account',
  ])
  await set(true)
  expect(await isOnList(user.email)).toBe(true)

  const admin = await api.signUp({ admin: true })
  const asAdmin = (newsletter: boolean) =>
    outcomeOf(admin.call(routes.setUserNewsletter, { params: { id: user.id }, body: { newsletter } }))
  expect(await asAdmin(true)).toBe('access_denied') // nobody agrees for others
  expect(await asAdmin(false)).toBe('success')
  expect(await isOnList(user.email)).toBe(false)
})

test('a tick at registration counts once the address is confirmed', async () => {
  const { call } = createCookieClient(api.origin)
  const email = 'fresh@example.test'
  const body = { username: 'fresh_reader', email, password: 'correct horse battery', accepted_tos: true }
  const user = await call(users.register, { body: { ...body, newsletter: true } })
  expect(user.newsletter).not.toBeNull()
  expect(await isOnList(email)).toBe(false)
  const mail = await waitForMail(api.dataDir, email)
  await call(users.confirmEmail, { body: { code: codeIn(linkIn(mail)) } })
  expect(await isOnList(email)).toBe(true)
})

test.runIf(isLong)(
  'an account that is deleted leaves neither its subscription nor the address of its tickets',
  async () => {
    const { call, user } = await api.signUp()
    await call(routes.setUserNewsletter, { params: { id: user.id }, body: { newsletter: true } })
    const body = { topic: 'other' as const, subject: 'Good bye', message: 'It was good to be here.' }
    await call(createTicket, { body })
    await query(`update users set destroy_at = now() - interval '1 minute' where id = $1`, [user.id])
    await deleteDueAccounts(api.context)
    expect(await query('select 1 from newsletter_subscriptions where email = $1', [user.email])).toEqual([])
    expect(await query('select email from support_tickets where user_id = $1', [user.id])).toEqual([
      { email: 'deleted@deleted.invalid' },
    ])
  },
)

test('an account with somebody else’s address cannot end their subscription', async () => {
  const email = 'victim@example.test'
  await confirm(codeIn((await ask(email, asks)).link))
  const { call } = createCookieClient(api.origin)
  const user = await call(users.register, {
    body: { username: 'impostor', email, password: 'correct horse battery', accepted_tos: true },
  })
  await call(routes.setUserNewsletter, { params: { id: user.id }, body: { newsletter: false } })
  expect(await isOnList(email)).toBe(true)
})

test.runIf(isLong)('a mailbox is asked so often only', async () => {
  const limited = await startTestApi({ LIMIT_NEWSLETTER: '2' })
  try {
    const subscribe = (email: string) => outcomeOf(limited.anonymous(routes.subscribe, { body: { email } }))
    expect([await subscribe('a@example.test'), await subscribe('b@example.test')]).toEqual(['success', 'success'])
    expect(await subscribe('c@example.test')).toBe('too_many_requests')
  } finally {
    await limited.close()
  }
})
