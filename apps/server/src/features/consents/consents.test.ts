/** Consents through the front door: given at registration, asked for anew when the words change, never rewritten. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiError } from '@wakestone/contract/client'
import { giveConsent, listConsents } from '@wakestone/contract/routes/consents'
import { setUserNewsletter } from '@wakestone/contract/routes/newsletter'
import { verify } from '@wakestone/contract/routes/users'
import { inTransaction } from '#src/db/client.ts'
import { type Caller, startTestApi, type TestApi } from '../../../../../tests/support/api.ts'
import { moveSubscription } from '../newsletter/service.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const list = ({ call, user }: Caller) => call(listConsents, { params: { id: user.id } })
const codeOf = (call: Promise<unknown>) => call.catch((error: ApiError) => error.body.error)

test('registration notes terms and privacy policy with version, time and way; cookies come with their choice', async () => {
  const owner = await api.signUp()
  expect(await list(owner)).toMatchObject([
    { subject: 'gdpr', action: 'given', source: 'registration', version: expect.stringMatching(/^\d/) },
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
  writeFileSync(`${folder}/en.md`, '---\ntitle: Terms\nversion: 99.1\ndate: 2020-01-01\n---\n\nNew words.\n')
  const due = { subject: 'terms', slug: 'terms-of-service', version: '99.1' } as const
  expect((await owner.call(verify, {})).consents_due).toEqual([due])
  const agree = (caller: Caller, version: string) =>
    caller.call(giveConsent, { params: { id: owner.user.id }, body: { subject: 'terms', version } })
  expect(await codeOf(agree(owner, '1.0'))).toBe('resource_not_found')
  expect(await codeOf(agree(await api.signUp({ admin: true }), '99.1'))).toBe('access_denied')
  await agree(owner, '99.1')
  expect((await owner.call(verify, {})).consents_due).toEqual([])
  expect((await list(owner))[0]).toMatchObject({ subject: 'terms', version: '99.1', source: 'account' })
})

test('evidence is not rewritten', async () => {
  const owner = await api.signUp()
  const { pool } = api.context.database
  await expect(pool.query(`update consents set version = '0' where user_id = $1`, [owner.user.id])).rejects.toThrow(
    'consents are never changed',
  )
  await pool.query('update consents set address = null where user_id = $1', [owner.user.id])
})

test('the newsletter goes along to another address, also where that one had left it', async () => {
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
