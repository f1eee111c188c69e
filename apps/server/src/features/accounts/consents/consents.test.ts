/** Consents through the front door: given at registration, asked for anew when the words change, never rewritten. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { giveConsent, listConsents } from '@wakestone/contract/accounts/consents-routes'
import { resendDeletionCode } from '@wakestone/contract/accounts/account-routes'
import { changeUserCapabilities } from '@wakestone/contract/admin/admin-routes'
import { createApiKey } from '@wakestone/contract/accounts/api-keys-routes'
import { requestDataExport } from '@wakestone/contract/accounts/data-exports-routes'
import { setUserNewsletter, subscribe } from '@wakestone/contract/site/newsletter-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { verify } from '@wakestone/contract/accounts/users-routes'
import { inTransaction } from '#src/db/client.ts'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { moveSubscription } from '#src/features/site/newsletter/service.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const words = (version: string, more = '') =>
  `---\ntitle: Terms\nversion: ${version}\ndate: 2020-01-01\n${more}---\n\nNew words.\n`
const list = ({ call, user }: Caller) => call(listConsents, { params: { id: user.id } })

test('registration notes what was ticked with version, time and way; cookies come with their choice', async () => {
  const owner = await api.signUp()
  expect(await list(owner)).toMatchObject([
    { subject: 'gdpr', action: 'given', source: 'registration', version: expect.stringMatching(/^\d/) },
    { subject: 'payments', action: 'given', source: 'registration', version: expect.stringMatching(/^\d/) },
    { subject: 'terms', action: 'given', source: 'registration', version: expect.stringMatching(/^\d/) },
  ])
  expect(owner.user.gdpr_consent).not.toBeNull()
  expect(owner.user.consents_due).toEqual([])
  const choose = (analytics: boolean) =>
    owner.call(giveConsent, {
      params: { id: owner.user.id },
      body: { subject: 'cookies', analytics, advertising: false },
    })
  await choose(true)
  expect((await owner.call(verify, {})).accepted_cookie_policy).not.toBeNull()
  await choose(false)
  expect((await owner.call(verify, {})).accepted_cookie_policy).toBeNull()
  expect((await list(owner))[0]).toMatchObject({
    action: 'withdrawn',
    details: { analytics: false, advertising: false },
  })
})

test('when the words change, who agreed is asked anew, and agrees to that version alone', async () => {
  const owner = await api.signUp()
  const folder = `${api.dataDir}/content/legal/terms-of-service`
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/en.md`, words('99.1'))
  const due = { subject: 'terms', slug: 'terms-of-service', version: '99.1', required: false } as const
  const shown = async () => (await owner.call(verify, {})).consents_due
  await expect.poll(shown).toEqual([due])
  const agree = (caller: Caller, version: string) =>
    caller.call(giveConsent, { params: { id: owner.user.id }, body: { subject: 'terms', version } })
  expect(await outcomeOf(agree(owner, '1.0'))).toBe('resource_not_found')
  expect(await outcomeOf(agree(await api.signUp({ admin: true }), '99.1'))).toBe('access_denied')
  await agree(owner, '99.1')
  expect((await owner.call(verify, {})).consents_due).toEqual([])
  expect((await list(owner))[0]).toMatchObject({ subject: 'terms', version: '99.1', source: 'account' })
})

test('words that demand it stop whoever has not agreed, but not from leaving, guarding the account and agreeing', async () => {
  const [owner, admin] = [await api.signUp(), await api.signUp({ admin: true })]
  const { id } = owner.user
  const { key } = await owner.call(createApiKey, {
    params: { id },
    body: { name: 'A script', scopes: ['user.offers'], expires_at: null },
  })
  const folder = `${api.dataDir}/content/legal/terms-of-service`
  mkdirSync(`${folder}/older`, { recursive: true })
  // In force a while ago already, between the one that was agreed to and the newest, which demands nothing.
  writeFileSync(`${folder}/older/en.md`, words('99.1'))
  mkdirSync(`${folder}/demanding`, { recursive: true })
  writeFileSync(`${folder}/demanding/en.md`, words('99.2', 'consent: required\n'))
  writeFileSync(`${folder}/en.md`, words('99.3'))
  const shown = async () => (await owner.call(verify, {})).consents_due
  await expect.poll(shown).toMatchObject([{ version: '99.3', required: true }])
  const buy = () => outcomeOf(owner.call(createServer, { body: {} as never }))
  expect(await buy()).toBe('user_has_to_accept_terms')
  const byKey = await fetch(`${api.origin}/api/v1/servers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(await byKey.json()).toMatchObject({ error: 'user_has_to_accept_terms', fields: { subjects: 'terms' } })
  expect(await outcomeOf(owner.call(resendDeletionCode, {}))).toBe('success')
  expect(await outcomeOf(owner.call(requestDataExport, { params: { id } }))).not.toBe('user_has_to_accept_terms')
  // Administration goes on, and who looks as the user agrees to nothing.
  const set = { 'user.craftum': true }
  expect(await admin.call(changeUserCapabilities, { params: { id }, body: { set } })).toMatchObject(set)
  await owner.call(giveConsent, { params: { id }, body: { subject: 'terms', version: '99.3' } })
  expect(await buy()).toBe('invalid_request')
})

test('the newsletter stands among the consents, and not what somebody else did with an address that is not proved', async () => {
  const owner = await api.signUp()
  const { id } = owner.user
  await owner.call(setUserNewsletter, { params: { id }, body: { newsletter: true } })
  await owner.call(setUserNewsletter, { params: { id }, body: { newsletter: false } })
  const newsletter = async (caller: Caller) => (await list(caller)).filter(({ subject }) => subject === 'newsletter')
  const steps = await newsletter(owner)
  expect(steps[0]).toMatchObject({ action: 'withdrawn', source: 'account', version: expect.stringMatching(/^\d/) })
  expect(steps.some(({ action }) => action === 'given')).toBe(true)
  await api.anonymous(subscribe, { body: { email: 'claimed@example.test', language: 'en', website: '' } })
  const other = await api.signUp({ verified: false })
  await api.context.db
    .updateTable('users')
    .set({ email: 'claimed@example.test' })
    .where('id', '=', other.user.id)
    .execute()
  expect(await newsletter(other)).toEqual([])
})

test('evidence is not rewritten', async () => {
  const owner = await api.signUp()
  const { pool } = api.context.database
  await expect(pool.query(`update consents set version = '0' where user_id = $1`, [owner.user.id])).rejects.toThrow(
    'consents are never changed',
  )
  await pool.query('update consents set address = null where user_id = $1', [owner.user.id])
})

test.runIf(isLong)('the newsletter goes along to another address, also where that one had left it', async () => {
  const owner = await api.signUp()
  const { id, email } = owner.user
  await owner.call(setUserNewsletter, { params: { id }, body: { newsletter: true } })
  const move = (from: string, to: string) =>
    inTransaction(api.context.db, async (trx) => {
      await trx.updateTable('users').set({ email: to }).where('id', '=', id).execute()
      await moveSubscription(api.context, trx, { userId: id, from, to, language: 'en' }, '127.0.0.1')
    })
  const subscribed = async () => {
    const { rows } = await api.context.database.pool.query<{ email: string }>(
      `select email from newsletter_subscriptions where email like $1 and confirmed_at is not null and withdrawn_at is null`,
      [`%${email}`],
    )
    return rows.map((row) => row.email)
  }
  await move(email, `new.${email}`)
  expect(await subscribed()).toEqual([`new.${email}`])
  await owner.call(setUserNewsletter, { params: { id }, body: { newsletter: false } })
  await move(`new.${email}`, email)
  await owner.call(setUserNewsletter, { params: { id }, body: { newsletter: true } })
  await move(email, `new.${email}`)
  expect(await subscribed()).toEqual([`new.${email}`])
  expect((await owner.call(verify, {})).newsletter).not.toBeNull()
})
