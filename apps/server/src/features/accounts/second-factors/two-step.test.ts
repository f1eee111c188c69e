/** Second factors through the front door: an authenticator app, recovery codes, and proofs before dangerous actions. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as account from '@wakestone/contract/accounts/account-routes'
import * as administration from '@wakestone/contract/admin/admin-routes'
import * as security from '@wakestone/contract/accounts/security-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import { type Caller, createCookieClient, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { waitForMail } from '../../../../../../tests/support/mail.ts'
import { type AuthenticatorApp, createAuthenticatorApp } from '../../../../../../tests/support/authenticator-app.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({}, { mails: true })
})
afterAll(() => api.close())

const stranger = () => createCookieClient(api.origin)
const digitsIn = (text: string | undefined) => /^(\d{4} \d{4})$/m.exec(text ?? '')?.[1] ?? ''

/** An account with an app that makes codes. */
async function guarded() {
  const owner = await api.signUp()
  const { secret } = await owner.call(security.beginTotp, {})
  const app = createAuthenticatorApp(secret)
  const { recovery_codes } = await owner.call(security.confirmTotp, { body: { code: app.next() } })
  await forgetSteps(owner, app)
  return { owner, app, codes: recovery_codes ?? [] }
}
/** Codes that were shown lie so far back that the app shows new ones. */
async function forgetSteps({ user }: Caller, app: AuthenticatorApp) {
  await api.context.db.updateTable('totp_secrets').set({ last_step: 0 }).where('user_id', '=', user.id).execute()
  app.rewind()
}
/** A browser in which the password was right, and which is asked for more. */
async function half({ user, password }: Pick<Caller, 'user' | 'password'>, browser = stranger()) {
  const login = browser.call(users.loginLocal, { body: { login: user.email, password } })
  expect(await outcomeOf(login)).toBe('second_factor_required')
  return browser
}
const finish = ({ call }: Pick<Caller, 'call'>, code: string) => call(security.finishLoginWithCode, { body: { code } })
const wrong = (code: string) => code.replace(/.$/, (last) => String((Number(last) + 5) % 10))

/** The clock of the database runs on: a session was proved so much earlier. */
async function letPass(userId: string, milliseconds: number) {
  await api.context.db
    .updateTable('sessions')
    .set({ proven_at: new Date(Date.now() - milliseconds) })
    .where('user_id', '=', userId)
    .execute()
}

describe('codes of an app', () => {
  test('are asked for once the first one was confirmed; ten recovery codes come with it', async () => {
    const owner = await api.signUp()
    const before = await owner.call(security.getSecurity, {})
    expect(before).toEqual({ totp: null, passkeys: [], recovery_codes_left: 0 })
    expect(await outcomeOf(owner.call(security.confirmTotp, { body: { code: '123456' } }))).toBe('resource_not_found')
    const { secret, address } = await owner.call(security.beginTotp, {})
    expect(new URL(address).searchParams.get('secret')).toBe(secret)
    const app = createAuthenticatorApp(secret)
    const code = app.next()
    expect(await outcomeOf(owner.call(security.confirmTotp, { body: { code: wrong(code) } }))).toBe('no_code')
    // Nothing is asked until then.
    await stranger().call(users.loginLocal, { body: { login: owner.user.email, password: owner.password } })
    const { recovery_codes } = await owner.call(security.confirmTotp, { body: { code } })
    expect(new Set(recovery_codes)).toHaveLength(10)
    expect(await owner.call(security.getSecurity, {})).toMatchObject({ totp: {}, recovery_codes_left: 10 })
    expect(await outcomeOf(owner.call(security.beginTotp, {}))).toBe('resource_already_exists')
    const mail = await waitForMail(api.dataDir, owner.user.email, 'Your account is better protected')
    expect(mail.text).toContain('authenticator app')

    const browser = await half(owner)
    expect(await outcomeOf(browser.call(users.verify, {}))).toBe('unauthorized')
    expect(await browser.call(security.getSecondStep, {})).toEqual({ totp: true, passkey: false })
    expect((await finish(browser, app.next())).id).toBe(owner.user.id)
    expect((await browser.call(users.verify, {})).id).toBe(owner.user.id)
    const { data } = await owner.call(users.listUserEvents, { params: { id: owner.user.id }, query: { limit: 1 } })
    expect(data[0]).toMatchObject({ action: 'USER_LOGIN', data: { method: 'local', second_step: 'totp' } })
  })

  test.runIf(isLong)(
    'are asked for after a code by mail as well, and a new password does not switch them off',
    async () => {
      const { owner, app } = await guarded()
      const { email } = owner.user
      await owner.call(account.beginPasswordReset, { body: { email } })
      const link = await waitForMail(api.dataDir, email, 'Choose a new password')
      const code = decodeURIComponent(/code=(\S+)/.exec(link.text ?? '')?.[1] ?? '')
      const password = 'a new pair of boots'
      await stranger().call(account.finishPasswordReset, { body: { code, password } })
      await half({ user: owner.user, password })

      const browser = stranger()
      await browser.call(account.beginEmailLogin, { body: { email } })
      const digits = digitsIn((await waitForMail(api.dataDir, email, 'Your login code')).text)
      expect(await outcomeOf(browser.call(account.finishEmailLogin, { body: { code: digits } }))).toBe(
        'second_factor_required',
      )
      expect((await finish(browser, app.next())).id).toBe(owner.user.id)
    },
  )

  test('are refused a second time, also when they come at once', async () => {
    const { owner, app } = await guarded()
    const known = await knownBrowser(owner, app)
    const code = app.next()
    const browsers = await Promise.all(Array.from({ length: 5 }, () => half(owner)))
    const results = await Promise.all(browsers.map((browser) => outcomeOf(finish(browser, code))))
    expect(results.filter((result) => result === 'success')).toHaveLength(1)
    expect(results.filter((result) => result === 'no_code')).toHaveLength(4)
    // Nor does an older one work, which nobody has used.
    expect(await outcomeOf(finish(await half(owner, known), app.earlier()))).toBe('no_code')
  })

  test('can be guessed at five times; then the login is dead, also for the right one', async () => {
    const { owner, app } = await guarded()
    const browser = await half(owner, await knownBrowser(owner, app))
    const code = app.next()
    const tries = await Promise.all(Array.from({ length: 6 }, () => outcomeOf(finish(browser, wrong(code)))))
    expect(tries.sort()).toEqual([...Array<string>(5).fill('no_code'), 'user_code_expired'])
    expect(await outcomeOf(finish(browser, code))).toBe('user_code_expired')
    expect(await outcomeOf(browser.call(security.getSecondStep, {}))).toBe('user_code_expired')
  })

  test.runIf(isLong)('guessed at in ever new logins have to wait; the owner’s known browser does not', async () => {
    const { owner, app } = await guarded()
    const known = await knownBrowser(owner, app)
    const thief = await half(owner)
    for (let count = 0; count < 5; count++) expect(await outcomeOf(finish(thief, '000000'))).toBe('no_code')
    expect(await outcomeOf(finish(await half(owner), app.next()))).toBe('too_many_requests')
    expect(await outcomeOf(finish(await half(owner, known), app.next()))).toBe('success')
  })

  test('work in the browser that took the first step only, and for one login', async () => {
    const { owner, app } = await guarded()
    const browser = await half(owner)
    expect(await outcomeOf(finish(stranger(), app.next()))).toBe('user_code_expired')
    await forgetSteps(owner, app)
    const cookie = browser.cookie()
    const forged = cookie.replace(/(ws_login=[^.]+\.)[\w-]+/, `$1${'A'.repeat(43)}`)
    const send = (value: string, code: string) =>
      fetch(`${api.origin}/api/v1/users/login/second/code`, {
        method: 'POST',
        headers: { cookie: value, 'content-type': 'application/json' },
        body: JSON.stringify({ code }),
      }).then((response) => response.status)
    const code = app.next()
    expect(await send(forged, code)).toBe(400)
    expect(await send(cookie, code)).toBe(200)
    expect(await send(cookie, app.next())).toBe(400)
  })

  test('rest sealed: the database alone tells neither secret nor recovery codes', async () => {
    const owner = await api.signUp()
    const { secret } = await owner.call(security.beginTotp, {})
    const { sealed } = await api.context.db
      .selectFrom('totp_secrets')
      .select('sealed')
      .where('user_id', '=', owner.user.id)
      .executeTakeFirstOrThrow()
    const plain = createAuthenticatorApp(secret).bytes
    expect(sealed.includes(plain)).toBe(false)
    // Moved to another account, it does not open.
    const other = await api.signUp()
    await api.context.db.insertInto('totp_secrets').values({ user_id: other.user.id, sealed }).execute()
    expect(await outcomeOf(other.call(security.confirmTotp, { body: { code: '123456' } }))).toBe('internal_error')
  })

  /** Signs in once, so that the browser is one of the owner's. */
  async function knownBrowser(owner: Caller, app: AuthenticatorApp) {
    const browser = await half(owner)
    await finish(browser, app.next())
    await forgetSteps(owner, app)
    return browser
  }
})

describe('recovery codes', () => {
  test('work once each, however typed, and are void when new ones are made', async () => {
    const { owner, codes } = await guarded()
    const [first = '', second = '', third = ''] = codes
    expect(await outcomeOf(finish(await half(owner), first))).toBe('success')
    await waitForMail(api.dataDir, owner.user.email, 'A recovery code was used')
    expect(await outcomeOf(finish(await half(owner), first))).toBe('no_code')
    expect(await outcomeOf(finish(await half(owner), second.replace('-', '').toUpperCase()))).toBe('success')
    expect((await owner.call(security.getSecurity, {})).recovery_codes_left).toBe(8)
    const browsers = await Promise.all([half(owner), half(owner)])
    const results = await Promise.all(browsers.map((browser) => outcomeOf(finish(browser, third))))
    expect(results.sort()).toEqual(['no_code', 'success'])
    const { recovery_codes } = await owner.call(security.renewRecoveryCodes, {})
    expect(await outcomeOf(finish(await half(owner), codes[3] ?? ''))).toBe('no_code')
    expect(await outcomeOf(finish(await half(owner), recovery_codes[0] ?? ''))).toBe('success')
  })

  test.runIf(isLong)('go with the last factor', async () => {
    const { owner } = await guarded()
    await owner.call(security.removeTotp, {})
    expect(await owner.call(security.getSecurity, {})).toEqual({ totp: null, passkeys: [], recovery_codes_left: 0 })
    await stranger().call(users.loginLocal, { body: { login: owner.user.email, password: owner.password } })
    await waitForMail(api.dataDir, owner.user.email, 'A second step was removed from your account')
    expect(await outcomeOf(owner.call(security.removeTotp, {}))).toBe('resource_not_found')
    expect(await outcomeOf(owner.call(security.renewRecoveryCodes, {}))).toBe('resource_not_found')
  })
})

describe('a session that is older than 15 minutes', () => {
  const old = 16 * 60_000
  const prove = ({ call }: Pick<Caller, 'call'>, body: Parameters<typeof call<typeof security.stepUp>>[1]['body']) =>
    outcomeOf(call(security.stepUp, { body }))

  test('proves itself with the password before what is dangerous', async () => {
    const owner = await api.signUp()
    const dangerous = () => outcomeOf(owner.call(account.resendDeletionCode, {}))
    await letPass(owner.user.id, old)
    expect(await dangerous()).toBe('step_up_required')
    const ways = { methods: ['password'], password_needs: null }
    expect(await owner.call(security.getStepUp, {})).toMatchObject(ways)
    expect(await prove(owner, { method: 'password', password: 'not this one' })).toBe('invalid_user_password')
    expect(await prove(owner, { method: 'code', code: '123456' })).toBe('access_denied')
    expect(await prove(owner, { method: 'mail', code: '12345678' })).toBe('access_denied')
    expect(await dangerous()).toBe('step_up_required')
    expect(await prove(owner, { method: 'password', password: owner.password })).toBe('success')
    expect(await dangerous()).toBe('success')
  })

  test.runIf(isLong)(
    'of a guarded account needs the password and a code of the app, which is then used up',
    async () => {
      const { owner, app } = await guarded()
      const { password } = owner
      await letPass(owner.user.id, old)
      expect(await outcomeOf(owner.call(security.removeTotp, {}))).toBe('step_up_required')
      const ways = { methods: ['password'], password_needs: 'code' }
      expect(await owner.call(security.getStepUp, {})).toMatchObject(ways)
      const code = app.next()
      expect(await prove(owner, { method: 'code', code })).toBe('access_denied')
      expect(await prove(owner, { method: 'password', password })).toBe('second_factor_required')
      expect(await prove(owner, { method: 'password', password, code: wrong(code) })).toBe('no_code')
      expect(await prove(owner, { method: 'password', password: 'not this one', code })).toBe('invalid_user_password')
      expect(await outcomeOf(owner.call(security.removeTotp, {}))).toBe('step_up_required')
      expect(await prove(owner, { method: 'password', password, code })).toBe('success')
      expect(await prove(owner, { method: 'password', password, code })).toBe('no_code')
      expect(await outcomeOf(finish(await half(owner), code))).toBe('no_code')
      expect(await outcomeOf(owner.call(security.removeTotp, {}))).toBe('success')
    },
  )

  test.runIf(isLong)('of an account with nothing else proves itself with mailed digits', async () => {
    const email = 'only-mail@example.test'
    const browser = stranger()
    await browser.call(account.beginEmailLogin, { body: { email } })
    const login = digitsIn((await waitForMail(api.dataDir, email, 'Your login code')).text)
    const { user } = await browser.call(account.finishEmailLogin, { body: { code: login, accepted_tos: true } })
    const choosePassword = () =>
      outcomeOf(browser.call(account.changePassword, { body: { password: 'a new pair of boots' } }))
    await letPass(user.id, old)
    // A stolen session must not give itself a password.
    expect(await choosePassword()).toBe('step_up_required')
    expect(await prove(browser, { method: 'password', password: 'anything' })).toBe('access_denied')
    await browser.call(security.mailStepUp, {})
    const digits = digitsIn((await waitForMail(api.dataDir, email, 'Your confirmation code')).text)
    expect(await prove(browser, { method: 'mail', code: login })).toBe('no_code')
    expect(await prove(browser, { method: 'mail', code: digits })).toBe('success')
    expect(await choosePassword()).toBe('success')
    expect(await outcomeOf(browser.call(security.mailStepUp, {}))).toBe('access_denied')
  })

  test.runIf(isLong)('is not asked twice where the password comes along', async () => {
    const owner = await api.signUp()
    await letPass(owner.user.id, old)
    const body = { old_password: owner.password, password: 'a new pair of boots' }
    expect(await outcomeOf(owner.call(account.changePassword, { body }))).toBe('success')
  })

  test('is asked where a second factor guards the account: the password alone changes neither itself nor the address', async () => {
    const { owner, app } = await guarded()
    const { password } = owner
    await letPass(owner.user.id, old)
    const change = () =>
      outcomeOf(
        owner.call(account.changePassword, { body: { old_password: password, password: 'a new pair of boots' } }),
      )
    const email = `other-${owner.user.username}@example.test`
    expect(await change()).toBe('step_up_required')
    expect(await outcomeOf(owner.call(account.changeEmail, { body: { email, password } }))).toBe('step_up_required')
    expect(await prove(owner, { method: 'password', password, code: app.next() })).toBe('success')
    expect(await change()).toBe('success')
  })

  test.runIf(isLong)('has to wait after some wrong proofs, which a right password does not make good', async () => {
    const { owner, app } = await guarded()
    const { password } = owner
    for (let count = 0; count < 5; count++)
      expect(await prove(owner, { method: 'password', password, code: '000000' })).toBe('no_code')
    expect(await prove(owner, { method: 'password', password, code: app.next() })).toBe('too_many_requests')
  })

  test('guessed at by many tries at once is guessed at no more often', async () => {
    const { owner } = await guarded()
    const { password } = owner
    const tries = Array.from({ length: 20 }, () => prove(owner, { method: 'password', password, code: '000000' }))
    const results = await Promise.all(tries)
    expect(results.filter((result) => result === 'no_code').length).toBeLessThanOrEqual(5)
    expect(results.filter((result) => result !== 'no_code' && result !== 'too_many_requests')).toEqual([])
  })

  test('is asked of administrators before they suspend, give rights or look as somebody else', async () => {
    const [admin, target] = [await api.signUp({ admin: true }), await api.signUp()]
    const params = { id: target.user.id }
    const all = [
      () => admin.call(administration.suspendUser, { params, body: { reason: 'a test' } }),
      () => admin.call(administration.changeUserCapabilities, { params, body: { set: { 'user.craftum': true } } }),
      () => admin.call(administration.beginViewAs, { params }),
    ]
    await letPass(admin.user.id, old)
    for (const one of all) expect(await outcomeOf(one())).toBe('step_up_required')
    expect(await prove(admin, { method: 'password', password: admin.password })).toBe('success')
    for (const one of all.slice(1)) expect(await outcomeOf(one())).toBe('success')
  })
})
