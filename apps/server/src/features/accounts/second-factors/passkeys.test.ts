/** Passkeys through the front door: what they open, and what does not open by them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as account from '@wakestone/contract/accounts/account-routes'
import * as security from '@wakestone/contract/accounts/security-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import { type Caller, createCookieClient, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { createAuthenticator } from '../../../../../../tests/support/authenticator.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

const site = 'https://wakestone.test'
let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ PUBLIC_URL: site })
})
afterAll(() => api.close())

const stranger = () => createCookieClient(api.origin)

async function withPasskey() {
  const owner = await api.signUp()
  const device = createAuthenticator(site)
  const response = device.register(await owner.call(security.beginPasskey, {}))
  const added = await owner.call(security.addPasskey, { body: { name: ' Lantern ', response } })
  return { owner, device, added }
}
const logIn = ({ call }: Pick<Caller, 'call'>, response: ReturnType<ReturnType<typeof createAuthenticator>['sign']>) =>
  outcomeOf(call(security.loginWithPasskey, { body: { response } }))

test('the first one brings recovery codes, and makes other ways in ask for more', async () => {
  const { owner, device, added } = await withPasskey()
  expect(added).toMatchObject({ passkey: { name: 'Lantern', last_used_at: null } })
  expect(added.recovery_codes).toHaveLength(10)
  const browser = stranger()
  const password = browser.call(users.loginLocal, { body: { login: owner.user.email, password: owner.password } })
  expect(await outcomeOf(password)).toBe('second_factor_required')
  expect(await browser.call(security.getSecondStep, {})).toEqual({ totp: false, passkey: true })
  const response = device.sign(await browser.call(security.beginSecondPasskey, {}))
  expect((await browser.call(security.finishLoginWithPasskey, { body: { response } })).id).toBe(owner.user.id)

  const second = createAuthenticator(site)
  const made = second.register(await owner.call(security.beginPasskey, {}))
  const more = await owner.call(security.addPasskey, { body: { name: 'Key ring', response: made } })
  expect(more.recovery_codes).toBeNull()
  const params = { passkeyId: added.passkey.id }
  expect(await outcomeOf((await api.signUp()).call(security.removePasskey, { params }))).toBe('resource_not_found')
  await owner.call(security.renamePasskey, { params, body: { name: 'Desk' } })
  const { passkeys } = await owner.call(security.getSecurity, {})
  expect(passkeys.map(({ name }) => name)).toEqual(['Desk', 'Key ring'])
  await owner.call(security.removePasskey, { params })
  expect(await logIn(...(await ask(device)))).toBe('passkey_refused')
  expect(await logIn(...(await ask(second)))).toBe('success')
})

/** A browser that asks for a passkey, and what the device says. */
async function ask(device: ReturnType<typeof createAuthenticator>, faults: Parameters<typeof device.sign>[1] = {}) {
  const browser = stranger()
  return [browser, device.sign(await browser.call(security.beginPasskeyLogin, {}), faults)] as const
}

describe('a login without a name', () => {
  test('asks for no second step', async () => {
    const { owner, device } = await withPasskey()
    const [browser, response] = await ask(device)
    expect(await logIn(browser, response)).toBe('success')
    expect((await browser.call(users.verify, {})).id).toBe(owner.user.id)
  })

  test('works once for what was asked, also at once, and in the browser that asked', async () => {
    const { device } = await withPasskey()
    const [browser, response] = await ask(device)
    expect(await logIn(stranger(), response)).toBe('passkey_refused')
    const [other] = await ask(device)
    expect(await logIn(other, response)).toBe('passkey_refused')
    const answers = await Promise.all(Array.from({ length: 4 }, () => logIn(browser, response)))
    expect(answers.sort()).toEqual([...Array<string>(3).fill('passkey_refused'), 'success'])
  })

  test.each([
    ['made on another site', { origin: 'https://wakestone.test.evil.example' }],
    ['of a device that did not check who holds it', { isVerified: false }],
  ])('refuses an answer %s', async (_, faults) => {
    const { device } = await withPasskey()
    expect(await logIn(...(await ask(device, faults)))).toBe('passkey_refused')
    expect(await logIn(...(await ask(device)))).toBe('success')
  })

  test('refuses a counter that goes back: there is a copy', async () => {
    const { device } = await withPasskey()
    expect(await logIn(...(await ask(device, { counter: 7 })))).toBe('success')
    expect(await logIn(...(await ask(device, { counter: 7 })))).toBe('passkey_refused')
    expect(await logIn(...(await ask(device, { counter: 8 })))).toBe('success')
  })

  test('refuses what is late', async () => {
    const { device } = await withPasskey()
    const [browser, response] = await ask(device)
    await api.context.db
      .updateTable('passkey_challenges')
      .set({ expires_at: new Date(0) })
      .execute()
    expect(await logIn(browser, response)).toBe('passkey_refused')
  })
})

test.runIf(isLong)('somebody else’s passkey is no second step, and proves nothing', async () => {
  const { owner } = await withPasskey()
  const thief = await withPasskey()
  const browser = stranger()
  await outcomeOf(browser.call(users.loginLocal, { body: { login: owner.user.email, password: owner.password } }))
  const response = thief.device.sign(await browser.call(security.beginSecondPasskey, {}))
  expect(await outcomeOf(browser.call(security.finishLoginWithPasskey, { body: { response } }))).toBe('passkey_refused')
  await api.context.db
    .updateTable('sessions')
    .set({ proven_at: new Date(0) })
    .where('user_id', '=', owner.user.id)
    .execute()
  const proof = thief.device.sign(await owner.call(security.beginStepUpPasskey, {}))
  expect(await outcomeOf(owner.call(security.stepUp, { body: { method: 'passkey', response: proof } }))).toBe(
    'passkey_refused',
  )
  expect(await outcomeOf(owner.call(account.resendDeletionCode, {}))).toBe('step_up_required')
})

test('a passkey proves that a session is its owner’s', async () => {
  const { owner, device } = await withPasskey()
  await api.context.db
    .updateTable('sessions')
    .set({ proven_at: new Date(0) })
    .where('user_id', '=', owner.user.id)
    .execute()
  expect(await outcomeOf(owner.call(security.beginPasskey, {}))).toBe('step_up_required')
  const response = device.sign(await owner.call(security.beginStepUpPasskey, {}))
  await owner.call(security.stepUp, { body: { method: 'passkey', response } })
  expect(await outcomeOf(owner.call(security.beginPasskey, {}))).toBe('success')
})

test('a new one is refused from another site, unverified, twice, or without being asked for', async () => {
  const owner = await api.signUp()
  const device = createAuthenticator(site)
  const add = (response: ReturnType<typeof device.register>) =>
    outcomeOf(owner.call(security.addPasskey, { body: { name: 'Lantern', response } }))
  const begin = () => owner.call(security.beginPasskey, {})
  const options = await begin()
  expect(await add(device.register(options, { origin: 'https://evil.example' }))).toBe('passkey_refused')
  expect(await add(device.register(options))).toBe('passkey_refused') // what was asked is spent
  expect(await add(device.register(await begin(), { isVerified: false }))).toBe('passkey_refused')
  expect(await add(device.register(await begin()))).toBe('success')
  expect(await add(device.register(await begin()))).toBe('resource_already_exists')
})
