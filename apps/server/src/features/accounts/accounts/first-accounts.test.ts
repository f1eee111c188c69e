import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changePassword } from '@wakestone/contract/accounts/account-routes'
import * as routes from '@wakestone/contract/accounts/users-routes'
import { createCookieClient, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { outcomeOf } from '../../../../../../tests/support/outcome.ts'
import { inTransaction } from '#src/db/client.ts'
import { grantCapabilities } from '#src/features/accounts/users/service.ts'
import { resetAdministratorPassword } from '#src/features/admin/admin/service.ts'
import { findAdministratorIds } from '#src/features/ground/notifications/service.ts'
import { demoAccount, ensureAccounts } from './first-accounts.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.close())

const boss = 'boss@example.test'
/** A start, perhaps with another ADMIN_EMAIL. */
const begin = (email = boss) =>
  ensureAccounts({ ...api.context, settings: { ...api.context.settings, ADMIN_EMAIL: email } })
const login = async (name: string, password: string) => {
  const { call } = createCookieClient(api.origin)
  return { call, outcome: await outcomeOf(call(routes.loginLocal, { body: { login: name, password } })) }
}

// Each test goes on from what the ones before it have made.

test('a customer whose address ADMIN_EMAIL names neither becomes administrator nor loses the password', async () => {
  const { user, password } = await api.signUp()
  await expect(begin(user.email)).rejects.toThrow(`ADMIN_EMAIL (${user.email}) belongs to a customer`)
  expect((await login(user.email, password)).outcome).toBe('success')
  expect(await findAdministratorIds(api.context.db)).toEqual([])
})

test('several starts at once make one administrator, also where a customer has the name', async () => {
  await createCookieClient(api.origin).call(routes.register, {
    body: { username: 'Admin', email: 'a@example.test', password: 'correct horse battery', accepted_tos: true },
  })
  const told = await Promise.all(Array.from({ length: 5 }, () => begin()))
  for (const { administrator } of told) expect(administrator).toEqual({ email: boss, hasFirstPassword: true })
  expect(await findAdministratorIds(api.context.db)).toHaveLength(1)
})

test('a password that was changed stays changed over a start, and is told no more', async () => {
  const { adminPassword, demoPassword } = api.context.secrets
  for (const [name, old_password] of [
    [boss, adminPassword],
    [demoAccount.email, demoPassword],
  ] as const) {
    const { call } = await login(name, old_password)
    await call(changePassword, { body: { old_password, password: 'what the owner wants' } })
  }
  expect(await begin()).toEqual({
    administrator: { email: boss, hasFirstPassword: false },
    demo: { email: demoAccount.email, hasFirstPassword: false },
  })
  for (const name of [boss, demoAccount.email])
    expect((await login(name, 'what the owner wants')).outcome).toBe('success')
  expect((await login(boss, adminPassword)).outcome).toBe('wrong_password_or_username')
})

test('whoever administers is the administrator, whatever ADMIN_EMAIL has become', async () => {
  expect((await begin('new@example.test')).administrator.email).toBe(boss)
  expect(await findAdministratorIds(api.context.db)).toHaveLength(1)
})

test('the operator gives an administrator a new password, and ends whoever was signed in', async () => {
  const { db } = api.context
  const before = await login(boss, 'what the owner wants')
  const program = join(import.meta.dirname, '../../../admin-password.ts')
  const env = { ...process.env, DATABASE_URL: api.context.databaseUrl }
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env })
  const [, email, password = ''] = /^(\S+) {2}(\S{20})\n$/.exec(stdout) ?? []
  expect(email).toBe(boss)
  expect(await outcomeOf(before.call(routes.refresh, {}))).toBe('unauthorized')
  expect((await login(boss, 'what the owner wants')).outcome).toBe('wrong_password_or_username')
  expect((await login(boss, password)).outcome).toBe('success')

  const { user } = await api.signUp()
  await expect(resetAdministratorPassword(db, user.username)).rejects.toThrow(`${user.username} is no administrator`)
  await inTransaction(db, (trx) => grantCapabilities(trx, user.id, { admin: true }))
  await expect(resetAdministratorPassword(db, undefined)).rejects.toThrow(/^Say whose; there are: .*boss@example.test/)
  expect((await resetAdministratorPassword(db, user.username.toUpperCase())).email).toBe(user.email)
})
