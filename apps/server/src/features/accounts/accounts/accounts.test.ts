import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as routes from '@wakestone/contract/accounts/users-routes'
import { createCookieClient, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { waitForMail } from '../../../../../../tests/support/mail.ts'
import { registerSignInJobs } from '#src/features/accounts/sign-in/jobs.ts'
import { waitAfter } from '#src/features/accounts/guesses/service.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  await registerSignInJobs(api.context) // mails are sent as the worker sends them
})
afterAll(() => api.close())

const password = 'correct horse battery'
const account = (username: string) => ({
  username,
  email: `${username}@example.test`,
  password,
  language: 'pl' as const,
  accepted_tos: true,
})

const linkCode = (text: string | undefined) => decodeURIComponent(/code=(\S+)/.exec(text ?? '')?.[1] ?? '')

describe('registering', () => {
  test('signs in, opens three wallets and mails a link in the customer’s language that works once', async () => {
    const { call } = createCookieClient(api.origin)
    const user = await call(routes.register, { body: account('zosia') })
    expect(user).toMatchObject({
      username: 'zosia',
      language: 'pl',
      email_verified: null,
      user_capabilities: { 'user.payments': true },
    })
    expect(user.wallets.map(({ currency, balance }) => [currency, balance.amount]).sort()).toEqual([
      ['EUR', 0],
      ['PLN', 0],
      ['USD', 0],
    ])

    const mail = await waitForMail(api.dataDir, 'zosia@example.test')
    expect(mail.subject).toBe('Potwierdź swój adres e-mail')
    expect(mail.html).toContain('lang="pl"')
    const code = linkCode(mail.text)
    expect(
      await outcomeOf(
        call(routes.confirmEmail, { body: { code: `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}` } }),
      ),
    ).toBe('no_code')
    await call(routes.confirmEmail, { body: { code } })
    expect((await call(routes.verify, {})).email_verified).not.toBeNull()
    expect(await outcomeOf(call(routes.confirmEmail, { body: { code } }))).toBe('email_already_verified')
  })

  test('refuses taken names and addresses whatever their case, common passwords and unaccepted terms', async () => {
    const { call } = createCookieClient(api.origin)
    await call(routes.register, { body: account('Kuba_07') })
    expect(
      await outcomeOf(call(routes.register, { body: { ...account('kuba_07'), email: 'other@example.test' } })),
    ).toBe('resource_already_exists')
    expect(
      await outcomeOf(call(routes.register, { body: { ...account('kuba_08'), email: 'KUBA_07@example.test' } })),
    ).toBe('resource_already_exists')
    expect(await outcomeOf(call(routes.register, { body: { ...account('kuba_09'), password: 'minecraft123' } }))).toBe(
      'invalid_request',
    )
    expect(await outcomeOf(call(routes.register, { body: { ...account('kuba_10'), accepted_tos: false } }))).toBe(
      'user_has_to_accept_terms',
    )
    expect(await outcomeOf(call(routes.checkUsername, { params: { name: 'KUBA_07' } }))).toBe('resource_already_exists')
    expect(await outcomeOf(call(routes.checkUsername, { params: { name: 'kuba_11' } }))).toBe('success')
  })

  test('with the address of somebody else is told to its owner, and tried three times an hour only', async () => {
    const limited = await startTestApi({ LIMIT_TAKEN_ADDRESSES: '3' })
    try {
      const owner = await limited.signUp()
      const { call } = createCookieClient(limited.origin)
      const attempt = (email: string, at: number) =>
        outcomeOf(call(routes.register, { body: { ...account(`prober_${at}`), email } }))
      const answers: string[] = []
      for (const at of [1, 2, 3, 4]) answers.push(await attempt(owner.user.email, at))
      expect(answers).toEqual([...Array<string>(3).fill('resource_already_exists'), 'too_many_requests'])
      const { db } = limited.context
      const told = await db.selectFrom('notifications').select('kind').where('user_id', '=', owner.user.id).execute()
      expect(told.filter(({ kind }) => kind === 'ADDRESS_TRIED')).toHaveLength(3)
    } finally {
      await limited.close()
    }
  })

  test('two at once with the same name: one gets it', async () => {
    const tries = Array.from({ length: 6 }, (_, at) =>
      outcomeOf(
        createCookieClient(api.origin).call(routes.register, {
          body: { ...account('racer'), email: `racer${at}@example.test` },
        }),
      ),
    )
    const outcomes = await Promise.all(tries)
    expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'resource_already_exists')).toHaveLength(5)
  })
})

describe('sessions', () => {
  test('sign in by name or address; sign out ends the access at once, also with the old cookie', async () => {
    const { call, cookie } = createCookieClient(api.origin)
    await call(routes.register, { body: account('piotrek') })
    await call(routes.logout, {})
    expect(await outcomeOf(call(routes.verify, {}))).toBe('unauthorized')
    await call(routes.loginLocal, { body: { login: 'PIOTREK@example.test', password } })
    expect((await call(routes.verify, {})).username).toBe('piotrek')
    const kept = cookie()
    await call(routes.logout, {})
    const deadline = Date.now() + 5_000
    const verify = () =>
      fetch(`${api.origin}/api/v1/users/verify`, { headers: { cookie: kept } }).then(({ status }) => status)
    while ((await verify()) !== 401) {
      if (Date.now() > deadline) throw new Error('the session outlived its end')
      await delay(20)
    }
  })

  test('a refresh rotates the token; the old one, used late, ends the session', async () => {
    const { call, cookie } = createCookieClient(api.origin)
    await call(routes.register, { body: account('rotor') })
    const stolen = cookie()
    await call(routes.refresh, {})
    expect(cookie()).not.toBe(stolen)
    const refreshWith = (jar: string) =>
      fetch(`${api.origin}/api/v1/users/refresh`, { headers: { cookie: jar } }).then(({ status }) => status)
    expect(await refreshWith(stolen)).toBe(200) // a second tab, at once
    const user = await call(routes.verify, {})
    await api.context.db
      .updateTable('sessions')
      .set({ rotated_at: new Date(Date.now() - 60_000) })
      .where('user_id', '=', user.id)
      .execute()
    expect(await refreshWith(stolen)).toBe(401)
    expect(await outcomeOf(call(routes.refresh, {}))).toBe('unauthorized')
  })

  test('guessing is slowed per account, and the answer does not tell whether the account exists', async () => {
    await createCookieClient(api.origin).call(routes.register, { body: account('guessed') })
    const { call } = createCookieClient(api.origin)
    for (const login of ['guessed', 'nobody-has-this-name']) {
      const answers = []
      for (let attempt = 0; attempt < 6; attempt++)
        answers.push(await outcomeOf(call(routes.loginLocal, { body: { login, password: `wrong guess ${attempt}` } })))
      expect(answers).toEqual([...Array<string>(5).fill('wrong_password_or_username'), 'too_many_requests'])
    }
    // Somebody else is not slowed.
    await createCookieClient(api.origin).call(routes.register, { body: account('unbothered') })
    await createCookieClient(api.origin).call(routes.loginLocal, { body: { login: 'unbothered', password } })
  })

  test('waits grow and stay bounded', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.integer({ min: 1, max: 50 }), (count, allowed) => {
        const wait = waitAfter(count, allowed)
        expect(wait).toBeGreaterThanOrEqual(0)
        expect(wait).toBeLessThanOrEqual(900)
        expect(waitAfter(count + 1, allowed)).toBeGreaterThanOrEqual(wait)
        if (count < allowed) expect(wait).toBe(0)
      }),
    )
  })
})
