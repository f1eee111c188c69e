/** Discord, through the front door and over its real protocol: logging in, registering, linking, and what must not work. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type DiscordAccount, type DiscordSimulator, startDiscordSimulator } from '@wakestone/simulators/discord'
import * as account from '@wakestone/contract/accounts/account-routes'
import * as socials from '@wakestone/contract/accounts/socials-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import { type Caller, createCookieClient, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { waitForMail } from '../../../../../../tests/support/mail.ts'
import { registerSignInJobs } from './jobs.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

const site = 'http://wakestone.test'
let discord: DiscordSimulator
let api: TestApi
beforeAll(async () => {
  const client = { clientId: '42', clientSecret: 'a secret' }
  discord = await startDiscordSimulator({ ...client, redirectUris: [`${site}/login/discord`] })
  api = await startTestApi({
    PUBLIC_URL: site,
    DISCORD_CLIENT_ID: client.clientId,
    DISCORD_CLIENT_SECRET: client.clientSecret,
    DISCORD_URL: discord.authorizeUrl,
    DISCORD_API_URL: discord.apiUrl,
    LIMIT_DISCORD: '0',
  })
  await registerSignInJobs(api.context) // mails are sent as the worker sends them
})
afterAll(async () => {
  await api.close()
  await discord.close()
})
afterEach(() => discord.setFaults({}))

type Browser = ReturnType<typeof createBrowser>
type Back = { code?: string; state?: string }

/** A client that also follows a way to Discord, keeping the cookie that binds it. */
function createBrowser(client: Pick<Caller, 'call' | 'cookie'> = createCookieClient(api.origin)) {
  let bound = ''
  const cookie = () => [client.cookie(), bound].filter(Boolean).join('; ')
  const keep = (answer: Response) => {
    const set = answer.headers.getSetCookie().find((line) => line.startsWith('ws_discord='))
    if (set !== undefined) bound = set.split(';')[0] ?? ''
    return set
  }
  return {
    ...client,
    cookie,
    async begin(query: Record<string, string> = {}) {
      const answer = await fetch(`${api.origin}/api/v1/users/auth/discord/begin?${new URLSearchParams(query)}`, {
        redirect: 'manual',
        headers: { cookie: cookie() },
      })
      return { status: answer.status, url: answer.headers.get('location') ?? '', cookie: keep(answer) }
    },
    /** As `begin`, for a signed-in user who wants to link. */
    async beginLink(body: Record<string, string> = {}, headers: Record<string, string> = {}) {
      const answer = await fetch(`${api.origin}/api/v1/users/auth/discord/link`, {
        method: 'POST',
        headers: { cookie: cookie(), 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
      keep(answer)
      const { url = '', error } = (await answer.json()) as { url?: string; error?: string }
      return { status: answer.status, url, error }
    },
    /** The raw answer to coming back. */
    async finish(back: Back, more: Record<string, unknown> = {}) {
      const answer = await fetch(`${api.origin}/api/v1/users/auth/discord/complete`, {
        method: 'POST',
        headers: { cookie: cookie(), 'content-type': 'application/json' },
        body: JSON.stringify({ ...back, ...more }),
      })
      const session = answer.headers.getSetCookie().filter((line) => line.startsWith('ws_access='))
      const body = (await answer.json()) as Record<string, unknown>
      return { status: answer.status, error: body['error'] as string | undefined, body, signedIn: session.length > 0 }
    },
  }
}

const backFrom = (url: string, who: DiscordAccount | 'deny'): Back =>
  Object.fromEntries(new URL(discord.decide(url, who)).searchParams) as Back
const comeBack = async (browser: Browser, who: DiscordAccount, query: Record<string, string> = {}) =>
  backFrom((await browser.begin(query)).url, who)
const linkBack = async (browser: Browser, who: DiscordAccount) => backFrom((await browser.beginLink()).url, who)

let made = 0
function person(more: Partial<DiscordAccount> = {}): DiscordAccount {
  const name = `discord_${++made}`
  const id = String(180_000_000_000_000_000n + BigInt(made))
  return { id, username: name, global_name: null, avatar: null, email: `${name}@example.test`, verified: true, ...more }
}
const actionsOf = async (userId: string) => {
  const { db } = api.context
  const rows = await db.selectFrom('audit_events').selectAll().where('resource_id', '=', userId).orderBy('id').execute()
  return rows.map(({ action }) => action)
}
const registerBy = async (who: DiscordAccount) => {
  const browser = createBrowser()
  const { body } = await browser.finish(await comeBack(browser, who), { accepted_tos: true })
  return body['user'] as { id: string; socials: { id: string }[] }
}

test('the way there asks for what is needed and no more, with PKCE and a state, and sets a cookie that scripts cannot read', async () => {
  const { status, url, cookie } = await createBrowser().begin({ from: '/pl/create', language: 'pl' })
  expect(status).toBe(302)
  const query = Object.fromEntries(new URL(url).searchParams)
  expect(query).toMatchObject({
    response_type: 'code',
    client_id: '42',
    scope: 'identify email',
    redirect_uri: `${site}/login/discord`,
    code_challenge_method: 'S256',
    prompt: 'none',
  })
  expect(query['state']).toMatch(/^[\w-]{43}$/)
  expect(query['code_challenge']).toMatch(/^[\w-]{43}$/)
  expect(cookie).toMatch(/HttpOnly/)
  expect(cookie).toMatch(/SameSite=Lax/)
})

describe('somebody new', () => {
  test('registers once the terms are accepted, with the same code, and comes back where they were', async () => {
    const who = person({ username: 'lantern_keeper' })
    const browser = createBrowser()
    const back = await comeBack(browser, who, { from: '/pl/create?product=GRASS', language: 'pl' })
    const asked = await browser.finish(back)
    expect(asked).toMatchObject({ status: 400, error: 'user_has_to_accept_terms', signedIn: false })
    expect(asked.body['fields']).toEqual({ from: '/pl/create?product=GRASS' })
    const done = await browser.finish(back, { accepted_tos: true, newsletter: true })
    expect(done).toMatchObject({
      status: 200,
      signedIn: true,
      body: {
        outcome: 'register',
        already_exists: false,
        from: '/pl/create?product=GRASS',
        user: {
          username: 'lantern_keeper',
          email: who.email,
          language: 'pl',
          has_password: false,
          socials: [{ source: 'discord', external_id: who.id, details: { username: 'lantern_keeper' } }],
        },
      },
    })
    const user = done.body['user'] as { id: string; email_verified: string; newsletter: string; wallets: unknown[] }
    expect(user.email_verified).not.toBeNull()
    expect(user.newsletter).not.toBeNull()
    expect(user.wallets).toHaveLength(3)
    expect(await actionsOf(user.id)).toEqual(['USER_REGISTER_DISCORD'])
  })

  test.runIf(isLong)('with a name that is taken, or none that we take, gets another', async () => {
    const { user } = await api.signUp()
    const browser = createBrowser()
    const back = await comeBack(browser, person({ username: user.username.toUpperCase() }))
    const { body } = await browser.finish(back, { accepted_tos: true })
    expect((body['user'] as { username: string }).username).toMatch(/^discord_/)
    const dotted = await registerBy(person({ username: 'a.b' }))
    expect(dotted).toMatchObject({ username: expect.stringMatching(/^discord_/) })
  })

  test.each([
    ['an address that Discord has not verified', { verified: false }],
    ['no address', { email: null, verified: false }],
  ])('with %s is refused', async (_, more) => {
    const browser = createBrowser()
    const refused = await browser.finish(await comeBack(browser, person(more)), { accepted_tos: true })
    expect(refused).toMatchObject({ status: 400, error: 'discord_user_email_not_verified', signedIn: false })
  })
})

test('a linked account is logged in to, whatever its address at Discord is by now', async () => {
  const who = person()
  const { id } = await registerBy(who)
  const browser = createBrowser()
  const now = { ...who, email: 'moved@example.test', verified: false, username: 'renamed' }
  const done = await browser.finish(await comeBack(browser, now))
  expect(done).toMatchObject({
    status: 200,
    signedIn: true,
    body: { outcome: 'login', already_exists: true, user: { id, socials: [{ details: { username: 'renamed' } }] } },
  })
  expect(await actionsOf(id)).toContain('USER_LOGIN_DISCORD')
})

describe('an account of the same address', () => {
  test('is never linked by itself; once its owner has logged in to it, it is', async () => {
    const owner = await api.signUp()
    const who = person({ email: owner.user.email.toUpperCase() })
    const browser = createBrowser()
    const back = await comeBack(browser, who, { from: '/en/s' })
    for (const more of [{}, { accepted_tos: true }]) {
      const refused = await browser.finish(back, more)
      expect(refused).toMatchObject({ status: 400, error: 'resource_already_exists', signedIn: false })
      expect(refused.body['fields']).toEqual({ resource: 'email', from: '/en/s' })
    }
    expect((await owner.call(users.verify, {})).socials).toEqual([])
    await browser.call(users.loginLocal, { body: { login: owner.user.email, password: owner.password } })
    expect(await browser.finish(back)).toMatchObject({ status: 200, body: { outcome: 'link', from: '/en/s' } })
    expect(await actionsOf(owner.user.id)).toContain('USER_SOCIAL_CONNECT')
    expect(await browser.finish(back)).toMatchObject({ error: 'no_state' })
  })

  test('is not linked for somebody who logged in to another one', async () => {
    const owner = await api.signUp()
    const other = await api.signUp()
    const browser = createBrowser(other)
    const back = await comeBack(browser, person({ email: owner.user.email }))
    expect(await browser.finish(back)).toMatchObject({ error: 'resource_already_exists', signedIn: false })
  })

  test.runIf(isLong)(
    'that nobody has proven is not linked; whoever reads its mail takes it, and who made it is out',
    async () => {
      const squatter = await api.signUp({ verified: false })
      const { email } = squatter.user
      // Nor may who made it wait there with a Discord account of their own.
      const theirs = createBrowser(squatter)
      const own = await theirs.finish(await linkBack(theirs, person()))
      expect(own).toMatchObject({ status: 403, error: 'email_not_verified' })

      const browser = createBrowser()
      const back = await comeBack(browser, person({ email }))
      expect(await browser.finish(back)).toMatchObject({ error: 'resource_already_exists' })
      await browser.call(account.beginEmailLogin, { body: { email } })
      const code = /^(\d{4} \d{4})$/m.exec((await waitForMail(api.dataDir, email, 'Your login code')).text ?? '')?.[1]
      await browser.call(account.finishEmailLogin, { body: { code: code ?? '' } })
      expect(await browser.finish(back)).toMatchObject({ status: 200, body: { outcome: 'link' } })
      const login = { login: email, password: squatter.password }
      expect(await outcomeOf(createCookieClient(api.origin).call(users.loginLocal, { body: login }))).toBe(
        'wrong_password_or_username',
      )
    },
  )
})

describe('linking', () => {
  test('is done by who is signed in, asks at Discord each time, and is told in the account', async () => {
    const owner = await api.signUp()
    const browser = createBrowser(owner)
    const who = person()
    const { url } = await browser.beginLink({ from: '/en/account/settings' })
    expect(new URL(url).searchParams.get('prompt')).toBe('consent')
    const done = await browser.finish(backFrom(url, who))
    expect(done).toMatchObject({
      status: 200,
      signedIn: false,
      body: { outcome: 'link', from: '/en/account/settings' },
    })
    expect((await owner.call(users.verify, { query: { simple: '1' } })).socials).toMatchObject([
      { external_id: who.id },
    ])
    const told = await api.context.db
      .selectFrom('notifications')
      .select('kind')
      .where('user_id', '=', owner.user.id)
      .execute()
    expect(told.map(({ kind }) => kind)).toContain('SOCIAL_LINKED')
  })

  test('needs a session that has proved to be the owner’s, and a click on our own pages', async () => {
    const owner = await api.signUp()
    const browser = createBrowser(owner)
    expect(await createBrowser().beginLink()).toMatchObject({ status: 401, error: 'unauthorized' })
    expect(await browser.beginLink({}, { 'sec-fetch-site': 'cross-site' })).toMatchObject({ error: 'access_denied' })
    const longAgo = new Date(Date.now() - 20 * 60_000)
    await api.context.db
      .updateTable('sessions')
      .set({ proven_at: longAgo })
      .where('user_id', '=', owner.user.id)
      .execute()
    expect(await browser.beginLink()).toMatchObject({ status: 403, error: 'step_up_required' })
  })

  test('is refused for an unverified address, and for accounts that are linked already, here or there', async () => {
    const owner = await api.signUp()
    const browser = createBrowser(owner)
    const link = async (who: DiscordAccount) => (await browser.finish(await linkBack(browser, who))).error
    expect(await link(person({ verified: false }))).toBe('discord_user_email_not_verified')
    const who = person()
    await registerBy(who)
    expect(await link(who)).toBe('resource_already_exists')
    expect(await link(person())).toBeUndefined()
    expect(await link(person())).toBe('resource_already_exists')
  })

  test('begun by one is not finished by another, nor after signing out', async () => {
    const owner = await api.signUp()
    const browser = createBrowser(owner)
    const back = await linkBack(browser, person())
    await owner.call(users.logout, {})
    expect(await browser.finish(back)).toMatchObject({ error: 'no_state' })
    const other = await api.signUp()
    await owner.call(users.loginLocal, { body: { login: other.user.email, password: other.password } })
    expect(await browser.finish(back)).toMatchObject({ error: 'no_state' })
  })

  test.runIf(isLong)('by two at once: one gets the Discord account', async () => {
    const who = person()
    const answers = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const browser = createBrowser(await api.signUp())
        return (await browser.finish(await linkBack(browser, who))).error ?? 'linked'
      }),
    )
    expect(answers.sort()).toEqual(['linked', ...Array<string>(3).fill('resource_already_exists')])
  })
})

describe('a state', () => {
  test('that is forged, missing, or of another browser is refused, and spoils nothing', async () => {
    const who = person()
    const browser = createBrowser()
    const back = await comeBack(browser, who)
    const forged = { ...back, state: `${back.state?.slice(0, -1)}${back.state?.endsWith('A') ? 'B' : 'A'}` }
    const stranger = createBrowser()
    await stranger.begin()
    for (const [client, given] of [
      [browser, forged],
      [browser, { code: back.code ?? '' }],
      [browser, {}],
      [stranger, back],
      [createBrowser(), back],
    ] as const)
      expect(await client.finish(given)).toMatchObject({ status: 400, error: 'no_state', signedIn: false })
    expect(await browser.finish(back, { accepted_tos: true })).toMatchObject({ status: 200 })
  })

  test('works once, also for two at the same moment', async () => {
    const who = person()
    await registerBy(who)
    const browser = createBrowser()
    const back = await comeBack(browser, who)
    const answers = await Promise.all(Array.from({ length: 6 }, () => browser.finish(back)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(new Set(answers.map(({ error }) => error))).toEqual(new Set([undefined, 'no_state']))
    expect(await browser.finish(back)).toMatchObject({ error: 'no_state' })
  })

  test('does not take a second code while the first waits for the terms', async () => {
    const browser = createBrowser()
    const { url } = await browser.begin()
    const back = backFrom(url, person())
    expect(await browser.finish(back)).toMatchObject({ error: 'user_has_to_accept_terms' })
    const other = backFrom(url, person())
    expect(await browser.finish(other, { accepted_tos: true })).toMatchObject({ error: 'no_state' })
    expect(await browser.finish(back, { accepted_tos: true })).toMatchObject({ status: 200 })
  })

  test('runs out', async () => {
    const browser = createBrowser()
    const back = await comeBack(browser, person())
    const longAgo = new Date(Date.now() - 1000)
    await api.context.db.updateTable('discord_attempts').set({ expires_at: longAgo }).execute()
    expect(await browser.finish(back, { accepted_tos: true })).toMatchObject({ error: 'no_state' })
  })

  test('of two tabs of one browser: both work', async () => {
    const who = person()
    await registerBy(who)
    const browser = createBrowser()
    const [first, second] = [await comeBack(browser, who), await comeBack(browser, who)]
    expect(await browser.finish(first)).toMatchObject({ status: 200 })
    expect(await browser.finish(second)).toMatchObject({ status: 200 })
  })
})

describe('Discord', () => {
  const tryWith = async (faults: Parameters<DiscordSimulator['setFaults']>[0]) => {
    discord.setFaults(faults)
    const browser = createBrowser()
    const back = await comeBack(browser, person(), { from: '/en/s' })
    const first = await browser.finish(back, { accepted_tos: true })
    discord.setFaults({})
    return { first, again: await browser.finish(back, { accepted_tos: true }) }
  }

  test.each([
    ['brings another state', { wrongState: true }, 'no_state'],
    ['brings no state', { leaveOut: 'state' }, 'no_state'],
    ['brings no code', { leaveOut: 'code' }, 'no_code'],
    ['has a fault at the token', { serverError: 'token' }, 'discord_unavailable'],
    ['has a fault at the profile', { serverError: 'user' }, 'discord_unavailable'],
    ['hangs up at the token', { cut: 'token' }, 'discord_unavailable'],
    ['hangs up at the profile', { cut: 'user' }, 'discord_unavailable'],
    ['says what makes no sense', { nonsense: true }, 'discord_unavailable'],
    ['grants less than was asked for', { scope: 'identify' }, 'discord_unavailable'],
  ] as const)('that %s signs nobody in, then or later', async (_, faults, error) => {
    const { first, again } = await tryWith(faults)
    expect(first).toMatchObject({ error, signedIn: false })
    expect(again.signedIn).toBe(false)
  })

  test('refuses a code that was used, made up, or belongs to another way', async () => {
    const who = person()
    await registerBy(who)
    const browser = createBrowser()
    const used = await comeBack(browser, who)
    expect(await browser.finish(used)).toMatchObject({ status: 200 })
    // The code of a way that somebody else began: PKCE tells.
    const theirs = await comeBack(createBrowser(), who)
    for (const code of [used.code, 'made-up', theirs.code]) {
      const { url } = await browser.begin({ from: '/en/s' })
      const state = new URL(url).searchParams.get('state') ?? ''
      const refused = await browser.finish({ state, code: code ?? '' })
      expect(refused).toMatchObject({ status: 400, error: 'no_code', signedIn: false })
      expect(refused.body['fields']).toEqual({ from: '/en/s' })
    }
  })

  test('was refused by the person: nothing happens, and the way back is known', async () => {
    const browser = createBrowser()
    const { url } = await browser.begin({ from: '/en/contact' })
    const { state = '', ...rest } = backFrom(url, 'deny')
    expect(rest).toMatchObject({ error: 'access_denied' })
    const answer = await browser.finish({ state })
    expect(answer).toMatchObject({ error: 'no_code', signedIn: false })
    expect(answer.body['fields']).toEqual({ from: '/en/contact' })
  })
})

describe('unlinking', () => {
  test.runIf(isLong)('ends the way in, and frees the Discord account', async () => {
    const owner = await api.signUp()
    const browser = createBrowser(owner)
    const who = person()
    await browser.finish(await linkBack(browser, who))
    const [social] = (await owner.call(users.verify, {})).socials
    const params = { id: social?.id ?? '' }
    expect(await outcomeOf((await api.signUp()).call(socials.unlinkSocial, { params }))).toBe('resource_not_found')
    expect(await outcomeOf(owner.call(socials.unlinkSocial, { params }))).toBe('success')
    expect(await outcomeOf(owner.call(socials.unlinkSocial, { params }))).toBe('resource_not_found')
    expect((await owner.call(users.verify, {})).socials).toEqual([])
    expect((await actionsOf(owner.user.id)).at(-1)).toBe('USER_SOCIAL_DISCONNECT')
    const stranger = createBrowser()
    expect(await stranger.finish(await comeBack(stranger, who))).toMatchObject({ error: 'user_has_to_accept_terms' })
    expect((await browser.finish(await linkBack(browser, who))).status).toBe(200)
  })

  test.runIf(isLong)('is refused where it would leave no way in', async () => {
    const who = person()
    const { id } = await registerBy(who)
    const browser = createBrowser()
    await browser.finish(await comeBack(browser, who))
    const admin = await api.signUp({ admin: true })
    const { db } = api.context
    await db.updateTable('users').set({ email_verified: null }).where('id', '=', id).execute()
    const [social] = (await admin.call(users.getUser, { params: { id } })).socials
    const unlink = () => outcomeOf(admin.call(socials.unlinkSocial, { params: { id: social?.id ?? '' } }))
    expect(await unlink()).toBe('user_has_no_other_login')
    await db.updateTable('users').set({ email_verified: new Date() }).where('id', '=', id).execute()
    expect(await unlink()).toBe('success') // codes by mail are a way in
  })
})

test.runIf(isLong)('where Discord is not set up there is none', async () => {
  const without = await startTestApi()
  try {
    const answer = await fetch(`${without.origin}/api/v1/users/auth/discord/begin`, { redirect: 'manual' })
    expect(answer.status).toBe(404)
    // Who comes by a link is shown a page.
    const page = await fetch(`${without.origin}/api/v1/users/auth/discord/begin?language=pl&from=%2Fpl%2Fs`, {
      redirect: 'manual',
      headers: { accept: 'text/html,application/xhtml+xml' },
    })
    expect(page.status).toBe(302)
    expect(page.headers.get('location')).toBe('/pl/login/discord?refused=resource_not_found&from=%2Fpl%2Fs')
    const { call } = createCookieClient(without.origin)
    expect(await outcomeOf(call(socials.finishDiscord, { body: { state: 'x', code: 'y' } }))).toBe('resource_not_found')
    expect(await outcomeOf(call(account.beginEmailLogin, { body: { email: 'a@example.test' } }))).toBe('success')
  } finally {
    await without.close()
  }
})
