/**
 * Every call of the specification's lists "Users" and "Socials", with the status it answers a caller who does it right.
 * A line of the list without a route, or without its way to success here, fails.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RouteSpec } from '@wakestone/contract/route'
import * as account from '@wakestone/contract/accounts/account-routes'
import { allRoutes } from '@wakestone/contract/routes'
import * as referrals from '@wakestone/contract/sales/referrals-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { createTicket } from '@wakestone/contract/accounts/support-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import type { User } from '@wakestone/contract/accounts/user'
import { type DiscordSimulator, startDiscordSimulator } from '@wakestone/simulators/discord'
import { inTransaction } from '../../apps/server/src/db/client.ts'
import { notify } from '../../apps/server/src/features/ground/notifications/service.ts'
import { registerSignInJobs } from '../../apps/server/src/features/accounts/sign-in/jobs.ts'
import { type Caller, createCookieClient, startTestApi, type TestApi } from '../support/api.ts'
import { waitForMail } from '../support/mail.ts'
import { order, topUp } from '../support/servers.ts'

/** The list, line by line. 200 where it names no status. */
const lines = [
  ['POST /users/login/local', 200],
  ['POST /users', 200],
  ['POST /users/queue/free_servers', 201],
  ['GET /users/{id}/ref', 200],
  ['GET /users/ref/{id}', 200],
  ['POST /users/email/resend', 200],
  ['GET /users/auth/discord/begin', 302],
  ['POST /users/auth/discord/complete', 200],
  ['POST /users/auth/email/begin', 200],
  ['POST /users/auth/email/complete', 200],
  ['POST /users/{userId}/ref/{oldRef}', 200],
  ['GET /users/refs/validate/{ref}', 200],
  ['PUT /users/{userId}/referral', 204],
  ['GET /users/refs/{code}', 404], // the code is free
  ['GET /users/verify', 200],
  ['GET /users/verify?simple=1', 200],
  ['GET /users/refresh', 200],
  ['GET /users/location_info', 200],
  ['POST /users/delete/confirm?code=', 200],
  ['POST /users/delete/resend', 201],
  ['POST /users/delete/cancel', 200],
  ['POST /users/logout', 204], // our reading: there is nothing to answer
  ['GET /users/{id}/servers', 200],
  ['GET /users/{id}/wallets', 200],
  ['GET /users/{id}', 200],
  ['GET /users/{id}/craftums', 200],
  ['GET /users/{id}/tickets', 200],
  ['PUT /users/{userId}/notifications/mark_as_read', 200],
  ['GET /users/{id}/notifications', 200],
  ['GET /users/{userId}/notifications/server/{serverId}', 200],
  ['POST /users/{userId}/notifications/{notificationId}?source=', 201],
  ['GET /users/{id}/events', 200],
  ['PUT /users/email/change', 200],
  ['PUT /users/password/change', 200],
  ['PUT /users/{userId}/taxdata', 200],
  ['POST /users/password/reset', 200],
  ['PUT /users/password/reset/confirm', 200],
  ['POST /users/email/confirm', 201],
  ['GET /users/username/{name}', 204], // the name is free
  ['POST /users/username', 200],
  ['PUT /users/{id}/newsletter', 201],
  ['DELETE /socials/{id}/unlink', 204],
] as const
type Line = (typeof lines)[number][0]

const site = 'http://wakestone.test'
let discord: DiscordSimulator
let api: TestApi
beforeAll(async () => {
  discord = await startDiscordSimulator({
    clientId: '42',
    clientSecret: 'a secret',
    redirectUris: [`${site}/login/discord`],
  })
  api = await startTestApi({
    PUBLIC_URL: site,
    DISCORD_CLIENT_ID: '42',
    DISCORD_CLIENT_SECRET: 'a secret',
    DISCORD_URL: discord.authorizeUrl,
    DISCORD_API_URL: discord.apiUrl,
  })
  await registerSignInJobs(api.context) // mails are sent as the worker sends them
})
afterAll(async () => {
  await api.close()
  await discord.close()
})

/** The route of a line; names of parameters are the routes' own. */
function routeOf(line: string): RouteSpec | undefined {
  const [method, path = ''] = line.replace(/\?.*/, '').split(' ')
  const shape = (text: string) => text.replace(/\{\w+\}|:\w+/g, '*')
  return Object.values<RouteSpec>(allRoutes).find(
    (route) => route.method === method && shape(route.path) === shape(path),
  )
}

type Sent = { params?: Record<string, string>; query?: string; body?: object; cookie?: string }

function send(line: Line, { params = {}, query = '', body, cookie = '' }: Sent = {}): Promise<Response> {
  const [method = '', path = ''] = line.split(' ')
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  return fetch(`${api.origin}/api/v1${url}${query}`, {
    method,
    redirect: 'manual',
    headers: { cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

const password = 'correct horse battery'
const signUp = (options?: Parameters<TestApi['signUp']>[0]) => api.signUp(options)
/** A call about the caller's own account. */
const own = async (line: Line, more: Sent = {}) => {
  const { user, cookie } = await signUp()
  return send(line, { ...more, params: { id: user.id, userId: user.id, ...more.params }, cookie: cookie() })
}
const codeIn = async (address: string, subject: string) => {
  const { text = '' } = await waitForMail(api.dataDir, address, subject)
  return decodeURIComponent(/code=(\S+)/.exec(text)?.[1] ?? /^(\d{4} \d{4})$/m.exec(text)?.[1] ?? '')
}
const ownCode = async ({ call, user }: Caller) =>
  (await call(referrals.getOwnReferralCode, { params: { id: user.id } })).referral_code
const deletionCode = async (owner: Caller) => {
  await owner.call(account.resendDeletionCode, {})
  return codeIn(owner.user.email, 'Confirm that you want to delete your account')
}

async function tellSomebody() {
  const reader = await signUp()
  const notificationId = await inTransaction(api.context.db, (trx) =>
    notify(trx, { userId: reader.user.id, kind: 'SOCIAL_LINKED', fields: { name: 'lantern_keeper' } }),
  )
  return { reader, notificationId: notificationId ?? '' }
}

let people = 0
/** Goes to Discord and back. @returns what the browser brings, and its cookies. */
async function visitDiscord() {
  const begun = await send('GET /users/auth/discord/begin')
  const bound = begun.headers.getSetCookie().find((line) => line.startsWith('ws_discord=')) ?? ''
  const back = discord.decide(begun.headers.get('location') ?? '', {
    id: String(++people),
    username: `person_${people}`,
    global_name: null,
    avatar: null,
    email: `person_${people}@example.test`,
    verified: true,
  })
  const body = Object.fromEntries(new URL(back).searchParams)
  return { body, cookie: bound.split(';')[0] ?? '' }
}

const ways: Record<Line, () => Promise<Response>> = {
  'POST /users/login/local': async () => {
    const { user } = await signUp()
    return send('POST /users/login/local', { body: { login: user.email, password } })
  },
  'POST /users': () =>
    send('POST /users', {
      body: { username: 'brand_new', email: 'brand-new@example.test', password, language: 'de', accepted_tos: true },
    }),
  'POST /users/queue/free_servers': () => own('POST /users/queue/free_servers'),
  'GET /users/{id}/ref': () => own('GET /users/{id}/ref'),
  'GET /users/ref/{id}': async () => {
    const [referrer, invited] = [await signUp(), await signUp()]
    const code = await ownCode(referrer)
    await invited.call(referrals.setReferrer, { params: { userId: invited.user.id }, body: { code } })
    const { referrer_code_id } = await invited.call(users.verify, {})
    return send('GET /users/ref/{id}', { params: { id: referrer_code_id ?? '' }, cookie: invited.cookie() })
  },
  'POST /users/email/resend': async () => {
    const { user, cookie } = await signUp({ verified: false })
    const sent = new Date(Date.now() - 120_000)
    await api.context.db.updateTable('mail_codes').set({ created_at: sent }).where('user_id', '=', user.id).execute()
    return send('POST /users/email/resend', { cookie: cookie() })
  },
  'GET /users/auth/discord/begin': () => send('GET /users/auth/discord/begin', { query: '?from=%2Fpl%2Fs' }),
  'POST /users/auth/discord/complete': async () => {
    const { body, cookie } = await visitDiscord()
    return send('POST /users/auth/discord/complete', { body: { ...body, accepted_tos: true }, cookie })
  },
  'POST /users/auth/email/begin': () =>
    send('POST /users/auth/email/begin', { body: { email: 'by-code@example.test', language: 'en' } }),
  'POST /users/auth/email/complete': async () => {
    const email = 'by-another-code@example.test'
    const { call, cookie } = createCookieClient(api.origin)
    await call(account.beginEmailLogin, { body: { email } })
    const code = await codeIn(email, 'Your login code')
    return send('POST /users/auth/email/complete', { body: { code, accepted_tos: true }, cookie: cookie() })
  },
  'POST /users/{userId}/ref/{oldRef}': async () => {
    const owner = await signUp()
    return send('POST /users/{userId}/ref/{oldRef}', {
      params: { userId: owner.user.id, oldRef: await ownCode(owner) },
      body: { code: 'a-code-of-mine' },
      cookie: owner.cookie(),
    })
  },
  'GET /users/refs/validate/{ref}': async () =>
    send('GET /users/refs/validate/{ref}', { params: { ref: await ownCode(await signUp()) } }),
  'PUT /users/{userId}/referral': async () =>
    own('PUT /users/{userId}/referral', { body: { code: await ownCode(await signUp()) } }),
  'GET /users/refs/{code}': () => own('GET /users/refs/{code}', { params: { code: 'nobody-has-this' } }),
  'GET /users/verify': () => own('GET /users/verify'),
  'GET /users/verify?simple=1': () => own('GET /users/verify?simple=1'),
  'GET /users/refresh': () => own('GET /users/refresh'),
  'GET /users/location_info': () => send('GET /users/location_info'),
  'POST /users/delete/confirm?code=': async () => {
    const owner = await signUp()
    const query = encodeURIComponent(await deletionCode(owner))
    return send('POST /users/delete/confirm?code=', { query, cookie: owner.cookie() })
  },
  'POST /users/delete/resend': () => own('POST /users/delete/resend'),
  'POST /users/delete/cancel': async () => {
    const owner = await signUp()
    await owner.call(account.confirmDeletion, { query: { code: await deletionCode(owner) } })
    return send('POST /users/delete/cancel', { cookie: owner.cookie() })
  },
  'POST /users/logout': () => own('POST /users/logout'),
  'GET /users/{id}/servers': async () => {
    const owner = await signUp()
    const walletId = await topUp(api.context, owner, 10_000)
    await owner.call(createServer, { body: order(walletId, '1.21.4') })
    return send('GET /users/{id}/servers', { params: { id: owner.user.id }, cookie: owner.cookie() })
  },
  'GET /users/{id}/wallets': () => own('GET /users/{id}/wallets'),
  'GET /users/{id}': () => own('GET /users/{id}'),
  'GET /users/{id}/craftums': () => own('GET /users/{id}/craftums'),
  'GET /users/{id}/tickets': async () => {
    const owner = await signUp()
    const message = 'The lantern does not light.'
    await owner.call(createTicket, { body: { topic: 'other', subject: 'It is dark', message } })
    return send('GET /users/{id}/tickets', { params: { id: owner.user.id }, cookie: owner.cookie() })
  },
  'PUT /users/{userId}/notifications/mark_as_read': () =>
    own('PUT /users/{userId}/notifications/mark_as_read', { body: {} }),
  'GET /users/{id}/notifications': async () => {
    const { reader } = await tellSomebody()
    return send('GET /users/{id}/notifications', { params: { id: reader.user.id }, cookie: reader.cookie() })
  },
  'GET /users/{userId}/notifications/server/{serverId}': () =>
    own('GET /users/{userId}/notifications/server/{serverId}', { params: { serverId: randomUUID() } }),
  'POST /users/{userId}/notifications/{notificationId}?source=': async () => {
    const { reader, notificationId } = await tellSomebody()
    const params = { userId: reader.user.id, notificationId }
    const line = 'POST /users/{userId}/notifications/{notificationId}?source='
    return send(line, { params, query: 'mail', cookie: reader.cookie() })
  },
  'GET /users/{id}/events': () => own('GET /users/{id}/events'),
  'PUT /users/email/change': () =>
    own('PUT /users/email/change', { body: { email: 'moved-house@example.test', password } }),
  'PUT /users/password/change': () =>
    own('PUT /users/password/change', { body: { old_password: password, password: 'a new pair of boots' } }),
  'PUT /users/{userId}/taxdata': () =>
    own('PUT /users/{userId}/taxdata', {
      body: {
        kind: 'person',
        name: 'Zofia Nowak',
        address: 'Latarniana 5/2',
        postal_code: '00-950',
        city: 'Warszawa',
        country: 'PL',
        language: 'pl',
      },
    }),
  'POST /users/password/reset': async () => {
    const { user } = await signUp()
    return send('POST /users/password/reset', { body: { email: user.email } })
  },
  'PUT /users/password/reset/confirm': async () => {
    const { user, call } = await signUp()
    await call(account.beginPasswordReset, { body: { email: user.email } })
    const code = await codeIn(user.email, 'Choose a new password')
    return send('PUT /users/password/reset/confirm', { body: { code, password: 'a new pair of boots' } })
  },
  'POST /users/email/confirm': async () => {
    const { user } = await signUp({ verified: false })
    return send('POST /users/email/confirm', {
      body: { code: await codeIn(user.email, 'Confirm your e-mail address') },
    })
  },
  'GET /users/username/{name}': () => send('GET /users/username/{name}', { params: { name: 'nobody_has_this' } }),
  'POST /users/username': () => own('POST /users/username', { body: { username: 'chosen_name' } }),
  'PUT /users/{id}/newsletter': () => own('PUT /users/{id}/newsletter', { body: { newsletter: true } }),
  'DELETE /socials/{id}/unlink': async () => {
    const { body, cookie } = await visitDiscord()
    const come = await send('POST /users/auth/discord/complete', { body: { ...body, accepted_tos: true }, cookie })
    const session = come.headers.getSetCookie().map((line) => line.split(';')[0])
    const { user } = (await come.json()) as { user: User }
    return send('DELETE /socials/{id}/unlink', {
      params: { id: user.socials[0]?.id ?? '' },
      cookie: session.join('; '),
    })
  },
}

test.each(lines)('%s answers %i', async (line, status) => {
  const route = routeOf(line)
  expect(route, 'is in the contract').toBeDefined()
  expect(api.api.implemented.has(route as RouteSpec), 'is implemented').toBe(true)
  const answer = await ways[line]()
  const text = await answer.text()
  expect(answer.status, text).toBe(status)
  const schema = route?.responses[status]
  if (status < 300 && schema) expect(schema.parse(JSON.parse(text))).toEqual(JSON.parse(text))
  else if (status < 400) expect(text).toBe('')
})
