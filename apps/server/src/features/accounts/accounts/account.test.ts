/** An account's own affairs, through the front door: password, address, name, codes by mail, devices, deletion. */
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApiClient } from '@wakestone/contract/client'
import * as account from '@wakestone/contract/accounts/account-routes'
import { createApiKey, listApiKeys } from '@wakestone/contract/accounts/api-keys-routes'
import { createSshKey, listSshKeys } from '@wakestone/contract/accounts/ssh-keys-routes'
import { createEventWebhook, listEventWebhooks } from '@wakestone/contract/ground/webhooks-routes'
import * as servers from '@wakestone/contract/servers/servers-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import { type Caller, createCookieClient, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { waitForMail } from '../../../../../../tests/support/mail.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { sendPasswordReset } from '#src/features/accounts/sign-in/password.ts'
import { deleteDueAccounts } from './deletion.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({}, { mails: true })
})
afterAll(() => api.close())

const fresh = 'a new pair of boots'
const sshKey = `ssh-ed25519 ${Buffer.from(`\0\0\0\u000bssh-ed25519\0\0\0 ${'k'.repeat(32)}`).toString('base64')}`
const mailTo = (address: string, subject: string) => waitForMail(api.dataDir, address, subject)
const linkCode = (text: string | undefined) => decodeURIComponent(/code=(\S+)/.exec(text ?? '')?.[1] ?? '')
const digitsIn = (text: string | undefined) => /^(\d{4} \d{4})$/m.exec(text ?? '')?.[1] ?? ''
const stranger = () => createCookieClient(api.origin)
const signIn = async (login: string, password: string) => {
  const client = stranger()
  await client.call(users.loginLocal, { body: { login, password } })
  return client
}
/** Rights are announced after the commit; a moment later everybody knows. */
async function until(isSo: () => Promise<boolean>, what: string) {
  for (const deadline = Date.now() + 10_000; !(await isSo());) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`)
    await delay(20)
  }
}
const isOut = async ({ call }: Pick<Caller, 'call'>) => (await outcomeOf(call(users.verify, {}))) === 'unauthorized'

/** The clock of the database runs on: what an account was sent lies further back by so much. */
async function letPass(userId: string, milliseconds: number) {
  const { db } = api.context
  const codes = await db.selectFrom('mail_codes').select(['id', 'created_at']).where('user_id', '=', userId).execute()
  for (const { id, created_at } of codes) {
    const earlier = new Date(created_at.getTime() - milliseconds)
    await db.updateTable('mail_codes').set({ created_at: earlier }).where('id', '=', id).execute()
  }
}

/** A browser of its own somewhere else; one that keeps its cookies. */
function browserAt(place: string | (() => string)) {
  const remoteAddress = () => (typeof place === 'string' ? place : place())
  const jar = new Map<string, string>()
  return createApiClient(async (url, { method, headers, body }) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await api.api.app.inject({
      url,
      method: method as 'POST',
      headers: { ...headers, ...(cookie && { cookie }) },
      payload: body ?? '',
      remoteAddress: remoteAddress(),
    })
    for (const { name, value } of answer.cookies) jar.set(name, value)
    return new Response(answer.statusCode === 204 ? null : new Uint8Array(answer.rawPayload), {
      status: answer.statusCode,
    })
  })
}

describe('strangers who guess and ask all day', () => {
  test('keep the owner’s new browser neither from a new password nor, with it, from signing in', async () => {
    const { user } = await api.signUp()
    const guess = () =>
      outcomeOf(browserAt('198.51.100.7')(users.loginLocal, { body: { login: user.email, password: 'some guess' } }))
    for (let at = 0; at < 6; at++) await guess()
    for (let asked = 0; asked < 15; asked++) {
      await sendPasswordReset(api.context, { email: user.email })
      await letPass(user.id, 61_000)
    }
    // Those links work for an hour; then there is another.
    await letPass(user.id, 50 * 60_000)
    const sent = () => api.context.db.selectFrom('mail_codes').select('id').where('user_id', '=', user.id).execute()
    const before = (await sent()).length
    const owner = browserAt('203.0.113.9')
    await owner(account.beginPasswordReset, { body: { email: user.email } })
    await until(async () => (await sent()).length > before, 'a link is sent')
    const { text } = await mailTo(user.email, 'Choose a new password')
    await owner(account.finishPasswordReset, { body: { code: linkCode(text), password: fresh } })
    for (let at = 0; at < 6; at++) await guess()
    expect(
      await outcomeOf(browserAt('203.0.113.10')(users.loginLocal, { body: { login: user.email, password: fresh } })),
    ).toBe('too_many_requests')
    expect(await outcomeOf(owner(users.loginLocal, { body: { login: user.email, password: fresh } }))).toBe('success')
  })

  test.runIf(isLong)('keep nobody from a code by mail', async () => {
    const { user, password } = await api.signUp()
    const body = { email: user.email }
    let place = '203.0.113.20'
    const known = browserAt(() => place)
    await known(users.loginLocal, { body: { login: user.email, password } })
    const ask = (address: string) => outcomeOf(browserAt(address)(account.beginEmailLogin, { body }))
    for (const at of [0, 1, 2]) expect(await ask(`198.51.100.${at}`)).toBe('success')
    expect(await ask('198.51.100.0')).toBe('email_already_sent')
    const { db } = api.context
    const expires_at = new Date(Date.now() + 60_000)
    const asked = Array.from({ length: 57 }, (_, at) => ({ asked_from: `198.51.101.${at}`, expires_at }))
    await db
      .insertInto('mail_digits')
      .values(asked.map((row) => ({ ...row, purpose: 'login', email: user.email, language: 'en' })))
      .execute()
    // The mailbox gets no more than so many, except for whoever was signed in from where they ask, or in this browser.
    expect(await ask('198.51.100.60')).toBe('too_many_requests')
    expect(await ask('127.0.0.1')).toBe('success')
    place = '203.0.114.20'
    expect(await outcomeOf(known(account.beginEmailLogin, { body }))).toBe('success')
  })
})

describe('a forgotten password', () => {
  test('is set anew by a link that works once and signs every device out', async () => {
    const owner = await api.signUp()
    const { email } = owner.user
    await owner.call(account.beginPasswordReset, { body: { email: email.toUpperCase() } })
    const code = linkCode((await mailTo(email, 'Choose a new password')).text)
    const { call } = stranger()
    expect(await outcomeOf(call(account.finishPasswordReset, { body: { code: `${code}x`, password: fresh } }))).toBe(
      'no_code',
    )
    expect(await outcomeOf(call(account.finishPasswordReset, { body: { code, password: 'minecraft123' } }))).toBe(
      'invalid_request',
    )
    await call(account.finishPasswordReset, { body: { code, password: fresh } })
    expect(await outcomeOf(call(account.finishPasswordReset, { body: { code, password: fresh } }))).toBe(
      'user_code_expired',
    )
    await until(() => isOut(owner), 'the old session ends')
    expect(await outcomeOf(signIn(email, owner.password))).toBe('wrong_password_or_username')
    await signIn(email, fresh)
    await mailTo(email, 'Your password was changed')
  })

  test('of nobody gets the same answer and no mail; asked for again at once, no second mail', async () => {
    const { user } = await api.signUp()
    const { call } = stranger()
    const count = async () => {
      const { db } = api.context
      const rows = await db.selectFrom('mail_codes').select('id').where('purpose', '=', 'reset_password').execute()
      return rows.length
    }
    const before = await count()
    expect(await call(account.beginPasswordReset, { body: { email: 'nobody@example.test' } })).toBeUndefined()
    expect(await call(account.beginPasswordReset, { body: { email: user.email } })).toBeUndefined()
    expect(await call(account.beginPasswordReset, { body: { email: user.email } })).toBeUndefined()
    const isDone = async () => {
      const { db } = api.context
      const jobs = sql<{ open: number }>`select count(*)::int as open from pgboss.job
        where name = 'request-password-reset' and state < 'completed'`
      return (await jobs.execute(db)).rows[0]?.open === 0
    }
    await until(isDone, 'every request is looked at')
    expect(await count()).toBe(before + 1)
  })

  test('a link for confirming an address does not set a password', async () => {
    const { user } = await api.signUp({ verified: false })
    const code = linkCode((await mailTo(user.email, 'Confirm your e-mail address')).text)
    expect(await outcomeOf(stranger().call(account.finishPasswordReset, { body: { code, password: fresh } }))).toBe(
      'no_code',
    )
  })
})

test('a password changes for whoever knows the old one; other devices are signed out, this one stays', async () => {
  const owner = await api.signUp()
  const other = await signIn(owner.user.email, owner.password)
  const change = (old_password: string) =>
    outcomeOf(owner.call(account.changePassword, { body: { old_password, password: fresh } }))
  expect(await change('not the old one')).toBe('invalid_user_password')
  expect(await outcomeOf(owner.call(account.changePassword, { body: { password: fresh } }))).toBe(
    'invalid_user_password',
  )
  expect(await change(owner.password)).toBe('success')
  await until(() => isOut(other), 'the other device is out')
  expect(await isOut(owner)).toBe(false)
  await signIn(owner.user.username, fresh)
})

describe('another address', () => {
  test.runIf(isLong)(
    'is taken when its link is used: the old one is told, all devices are out, older links are dead',
    async () => {
      const owner = await api.signUp()
      const { email } = owner.user
      const wanted = `new-${email}`
      const ask = (to: string, password?: string) =>
        outcomeOf(owner.call(account.changeEmail, { body: { email: to, ...(password !== undefined && { password }) } }))
      await owner.call(account.beginPasswordReset, { body: { email } })
      const reset = linkCode((await mailTo(email, 'Choose a new password')).text)
      expect(await ask(wanted)).toBe('invalid_user_password')
      expect(await ask((await api.signUp()).user.email, owner.password)).toBe('resource_already_exists')
      expect(await ask(wanted, owner.password)).toBe('success')
      expect(await ask(wanted, owner.password)).toBe('email_already_sent')

      const code = linkCode((await mailTo(wanted, 'Confirm your new e-mail address')).text)
      expect((await owner.call(users.verify, {})).email).toBe(email)
      await stranger().call(users.confirmEmail, { body: { code } })
      expect(await outcomeOf(stranger().call(users.confirmEmail, { body: { code } }))).toBe('user_code_expired')
      await until(() => isOut(owner), 'the session ends')
      await mailTo(email, 'Your e-mail address was changed')
      const again = await signIn(wanted, owner.password)
      expect(await again.call(users.verify, {})).toMatchObject({ email: wanted })
      expect(
        await outcomeOf(stranger().call(account.finishPasswordReset, { body: { code: reset, password: fresh } })),
      ).toBe('user_code_expired')
    },
  )

  test.runIf(isLong)('that somebody registers with meanwhile stays theirs', async () => {
    const owner = await api.signUp()
    const wanted = 'wanted-by-two@example.test'
    await owner.call(account.changeEmail, { body: { email: wanted, password: owner.password } })
    const code = linkCode((await mailTo(wanted, 'Confirm your new e-mail address')).text)
    const body = { username: 'quicker', email: wanted, password: fresh, accepted_tos: true }
    await stranger().call(users.register, { body })
    expect(await outcomeOf(stranger().call(users.confirmEmail, { body: { code } }))).toBe('resource_already_exists')
    expect((await owner.call(users.verify, {})).email).toBe(owner.user.email)
  })
})

test('a name changes once in thirty days, and to a free one', async () => {
  const owner = await api.signUp()
  const taken = await api.signUp()
  const to = (username: string) => outcomeOf(owner.call(account.changeUsername, { body: { username } }))
  expect(await to(taken.user.username.toUpperCase())).toBe('resource_already_exists')
  expect(await to('no spaces')).toBe('invalid_request')
  expect(await to('lantern_bearer')).toBe('success')
  expect((await owner.call(users.verify, {})).username).toBe('lantern_bearer')
  expect(await to('lantern_bearer_2')).toBe('too_many_requests')
})

describe('a code by mail', () => {
  const begin = async (email: string, language: 'en' | 'pl' = 'en') => {
    const browser = stranger()
    await browser.call(account.beginEmailLogin, { body: { email, language } })
    const mail = await mailTo(email, language === 'en' ? 'Your login code' : 'Twój kod logowania')
    return { browser, code: digitsIn(mail.text) }
  }
  const finish = ({ call }: Pick<Caller, 'call'>, code: string, accepted_tos = false) =>
    call(account.finishEmailLogin, { body: { code, accepted_tos } })
  const wrong = (code: string) => String((Number(code.replace(' ', '')) + 1) % 100_000_000).padStart(8, '0')

  test('signs the owner of an address in, once', async () => {
    const { user } = await api.signUp()
    const { browser, code } = await begin(user.email)
    const result = await finish(browser, code)
    expect(result).toMatchObject({ already_exists: true, added_to_queue: false, server: null, voucher: null })
    expect(result.user).toMatchObject({ id: user.id, has_password: true })
    expect((await browser.call(users.verify, {})).id).toBe(user.id)
    expect(await outcomeOf(finish(browser, code))).toBe('no_code') // the browser has forgotten it
  })

  test.runIf(isLong)('proves the address: who opened an account with that of somebody else is out', async () => {
    const squatter = await api.signUp({ verified: false })
    const params = { id: squatter.user.id }
    await squatter.call(createApiKey, { params, body: { name: 'mine', scopes: ['user.read'], expires_at: null } })
    await squatter.call(createSshKey, { params, body: { name: 'mine', public_key: sshKey } })
    await squatter.call(createEventWebhook, { params, body: { url: 'https://93.184.215.14/told' } })
    const { browser, code } = await begin(squatter.user.email)
    const { user } = await finish(browser, code)
    expect(user).toMatchObject({ id: squatter.user.id, has_password: false })
    expect(user.email_verified).not.toBeNull()
    await until(() => isOut(squatter), 'the session ends')
    expect(await outcomeOf(signIn(squatter.user.email, squatter.password))).toBe('wrong_password_or_username')
    // Nothing that they have set up opens anything, or tells them anything, of what comes later.
    for (const list of [listApiKeys, listSshKeys, listEventWebhooks])
      expect(await browser.call(list, { params })).toEqual([])
  })

  test('registers a new address once the terms are accepted, with the same code', async () => {
    const { browser, code } = await begin('nowa.osoba@example.test', 'pl')
    expect(await outcomeOf(finish(browser, code))).toBe('user_has_to_accept_terms')
    const { user, already_exists } = await finish(browser, code, true)
    expect(already_exists).toBe(false)
    expect(user).toMatchObject({ username: 'nowa_osoba', language: 'pl', has_password: false })
    expect(user.wallets).toHaveLength(3)
    // The first name of one's own choice is free, and so is the first password.
    expect(await outcomeOf(browser.call(account.changeUsername, { body: { username: 'Nowa' } }))).toBe('success')
    expect(await outcomeOf(browser.call(account.changePassword, { body: { password: fresh } }))).toBe('success')
    await signIn('nowa.osoba@example.test', fresh)
  })

  test('works in the browser that asked for it only', async () => {
    const { user } = await api.signUp()
    const { browser, code } = await begin(user.email)
    const other = stranger()
    await other.call(account.beginEmailLogin, { body: { email: 'somebody-else@example.test' } })
    expect(await outcomeOf(finish(other, code))).toBe('no_code')
    expect(await outcomeOf(finish(stranger(), code))).toBe('no_code')
    expect(await outcomeOf(finish(browser, code))).toBe('success')
  })

  test.runIf(isLong)('is dead after five wrong ones, and is not sent twice within a minute', async () => {
    const { user } = await api.signUp()
    const { browser, code } = await begin(user.email)
    expect(await outcomeOf(stranger().call(account.beginEmailLogin, { body: { email: user.email } }))).toBe(
      'email_already_sent',
    )
    for (let guess = 0; guess < 5; guess++) expect(await outcomeOf(finish(browser, wrong(code)))).toBe('no_code')
    expect(await outcomeOf(finish(browser, code))).toBe('user_code_expired')
  })

  test('guessed at from many sides at once has five tries and no more', async () => {
    const { user } = await api.signUp()
    const { browser, code } = await begin(user.email)
    const answers = await Promise.all(Array.from({ length: 30 }, () => outcomeOf(finish(browser, wrong(code)))))
    expect(answers.filter((answer) => answer === 'no_code')).toHaveLength(5)
    expect(answers.filter((answer) => answer === 'user_code_expired')).toHaveLength(25)
  })
})

describe('devices', () => {
  test('are listed, each can be signed out, and nobody else sees them', async () => {
    const owner = await api.signUp()
    const other = await signIn(owner.user.email, owner.password)
    const params = { id: owner.user.id }
    const sessions = await owner.call(account.listSessions, { params })
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    const theirs = (await other.call(account.listSessions, { params })).find(({ current }) => current)
    const end = ({ call }: Pick<Caller, 'call'>, sessionId = '') =>
      outcomeOf(call(account.endUserSession, { params: { ...params, sessionId } }))
    expect(await end(await api.signUp(), theirs?.id)).toBe('user_not_found')
    expect(await end(owner, (await api.signUp()).user.id)).toBe('resource_not_found')
    expect(await end(owner, theirs?.id)).toBe('success')
    await until(() => isOut(other), 'the device is out')
    expect(await isOut(owner)).toBe(false)
    expect(await end(owner, theirs?.id)).toBe('resource_not_found')
  })

  test.runIf(isLong)('a login on a new one is told to the owner, one on a known device is not', async () => {
    const owner = await api.signUp()
    const { db } = api.context
    const notices = async () =>
      (await db.selectFrom('notifications').select('kind').where('user_id', '=', owner.user.id).execute()).length
    await owner.call(users.loginLocal, { body: { login: owner.user.email, password: owner.password } })
    expect(await notices()).toBe(0)
    await signIn(owner.user.email, owner.password)
    expect(await notices()).toBe(1)
    expect((await mailTo(owner.user.email, 'A new device logged in to your account')).text).toContain('127.0.0.1')
  })

  test('guessing from elsewhere does not lock the owner’s own browser out', async () => {
    const owner = await api.signUp()
    const login = owner.user.email
    const guess = () => outcomeOf(stranger().call(users.loginLocal, { body: { login, password: 'a wrong guess' } }))
    const answers = []
    for (let attempt = 0; attempt < 8; attempt++) answers.push(await guess())
    expect(answers).toContain('too_many_requests')
    expect(await outcomeOf(signIn(login, owner.password))).toBe('too_many_requests')
    expect(await outcomeOf(owner.call(users.loginLocal, { body: { login, password: owner.password } }))).toBe('success')
  })

  test.runIf(isLong)('a sign-in that was replaced and comes back ends, and its owner is told', async () => {
    const owner = await api.signUp()
    const stolen = owner.cookie()
    await owner.call(users.refresh, {})
    const { db } = api.context
    const longAgo = new Date(Date.now() - 60_000)
    await db.updateTable('sessions').set({ rotated_at: longAgo }).where('user_id', '=', owner.user.id).execute()
    const answer = await fetch(`${api.origin}/api/v1/users/refresh`, { headers: { cookie: stolen } })
    expect(answer.status).toBe(401)
    await mailTo(owner.user.email, 'We logged a device out of your account')
    await until(() => isOut(owner), 'the family ends')
  })
})

describe('the end of an account', () => {
  const newestCode = async (owner: Caller) =>
    digitsIn((await mailTo(owner.user.email, 'Confirm that you want to delete your account')).text)
  const schedule = async (owner: Caller, before?: string) => {
    await owner.call(account.resendDeletionCode, {})
    await until(async () => (await newestCode(owner)) !== before, 'another code')
    const code = await newestCode(owner)
    return { code, user: await owner.call(account.confirmDeletion, { query: { code } }) }
  }

  test('comes 14 days after its confirmation, can be cancelled, and leaves nothing that names a person', async () => {
    const owner = await api.signUp()
    expect(await outcomeOf(owner.call(account.confirmDeletion, { query: { code: '12345678' } }))).toBe('no_code')
    const { user, code } = await schedule(owner)
    expect(new Date(user.destroy_at ?? 0).getTime() - Date.now()).toBeGreaterThan(13.9 * 24 * 3600_000)
    expect(await outcomeOf(owner.call(account.resendDeletionCode, {}))).toBe('user_already_scheduled_for_deletion')
    await mailTo(owner.user.email, 'Your account will be deleted')
    expect((await owner.call(account.cancelDeletion, {})).destroy_at).toBeNull()
    const in15Days = new Date(Date.now() + 15 * 24 * 3600_000)
    await deleteDueAccounts(api.context, in15Days)
    expect((await owner.call(users.verify, {})).id).toBe(owner.user.id)

    await api.context.db
      .updateTable('mail_digits')
      .set({ created_at: new Date(Date.now() - 120_000) })
      .where('user_id', '=', owner.user.id)
      .execute()
    await schedule(owner, code)
    await deleteDueAccounts(api.context)
    expect(await isOut(owner)).toBe(false) // not due yet
    await deleteDueAccounts(api.context, in15Days)
    await until(() => isOut(owner), 'the account is gone')
    expect(await outcomeOf(signIn(owner.user.email, owner.password))).toBe('wrong_password_or_username')
    const { rows } = await api.context.database.pool.query<{ row: string }>(
      `select row_to_json(u)::text as row from users u where id = $1
       union all select row_to_json(s)::text from sessions s where user_id = $1`,
      [owner.user.id],
    )
    for (const { row } of rows) {
      expect(row).not.toContain(owner.user.username)
      expect(row).not.toContain(owner.user.email)
      expect(row).not.toContain('127.0.0.1')
    }
    // The name and the address are free again.
    const { username, email } = owner.user
    await stranger().call(users.register, { body: { username, email, password: fresh, accepted_tos: true } })
  })

  test('is refused while a server is paid for', async () => {
    const owner = await api.signUp()
    const walletId = await topUp(api.context, owner, 10_000)
    await owner.call(servers.createServer, { body: order(walletId, '1.21.4') })
    expect(await outcomeOf(owner.call(account.resendDeletionCode, {}))).toBe('user_has_active_services')
    // Also where a voucher has made the last renewal free.
    const { db } = api.context
    await db.updateTable('services').set({ cost: 0, gross_cost: 0 }).where('owner_id', '=', owner.user.id).execute()
    expect(await outcomeOf(owner.call(account.resendDeletionCode, {}))).toBe('user_has_active_services')
  })
})

test.runIf(isLong)('links are sent once a minute, and ten times a day', async () => {
  const owner = await api.signUp({ verified: false })
  const again = () => outcomeOf(owner.call(users.resendEmail, {}))
  const answers = [await again()]
  for (let sent = 1; sent < 11; sent++) {
    await letPass(owner.user.id, 61_000)
    answers.push(await again())
  }
  expect(answers).toEqual(['email_already_sent', ...Array<string>(9).fill('success'), 'too_many_requests'])
})

test.runIf(isLong)('one address asks for so many mails, whoever they are to', async () => {
  const limited = await startTestApi({ LIMIT_MAILS: '3' })
  try {
    const { call } = createCookieClient(limited.origin)
    const ask = (at: number) =>
      outcomeOf(call(account.beginEmailLogin, { body: { email: `reader${at}@example.test` } }))
    expect([await ask(1), await ask(2), await ask(3), await ask(4)]).toEqual([
      ...Array<string>(3).fill('success'),
      'too_many_requests',
    ])
    expect(await outcomeOf(call(account.beginPasswordReset, { body: { email: 'reader5@example.test' } }))).toBe(
      'too_many_requests',
    )
  } finally {
    await limited.close()
  }
})
