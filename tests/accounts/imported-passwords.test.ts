/** Passwords that an import has brought along, by their hashes: they work once as they are, and tell nobody that they do. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isForeignPasswordRight, isUsableHash } from '../../apps/server/src/features/accounts/sign-in/foreign-hashes.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { isLong } from '../support/long.ts'
import { rankScore, timeInTurns } from '../support/rank-test.ts'

const password = 'correct horse battery'
/** As PHP writes it; dear enough to be seen. */
const hash = '$2y$08$DPMeCY.uNBEDF7c40Q3Rc.HOJ/uw9CP3Szv8poZSYn3FsZDM9rBjW'
const pairs = 14
/** By chance once in 16 000 times; with so many pairs a login without the decoy scores beyond 4.4. */
const suspicious = 4

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  const rows = Array.from({ length: pairs + 3 }, (_, at) => ({
    username: `moved_${at}`,
    email: `moved_${at}@example.test`,
    password_hash: hash,
    language: 'en',
    country_code: 'PL',
  }))
  await api.context.db.insertInto('users').values(rows).execute()
})
afterAll(() => api.close())

let asked = 0
const logIn = (login: string, given: string) =>
  api.api.app.inject({
    method: 'POST',
    url: '/api/v1/users/login/local',
    payload: { login, password: given },
    remoteAddress: `10.0.0.${++asked}`,
  })
const hashOf = async (username: string) => {
  const query = api.context.db.selectFrom('users').select('password_hash').where('username', '=', username)
  return (await query.executeTakeFirstOrThrow()).password_hash
}

test('several are checked at once, and what is no hash lets nobody in', async () => {
  const tries = [password, 'another password', password, '']
  expect(await Promise.all(tries.map((one) => isForeignPasswordRight(one, hash)))).toEqual([true, false, true, false])
  for (const broken of ['$2y$', `${hash}x`, '$2y$99$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', '$2'])
    expect([broken, isUsableHash(broken), await isForeignPasswordRight(password, broken)]).toEqual([
      broken,
      false,
      false,
    ])
  expect(['$2a$', '$2b$', '$2y$'].map((kind) => isUsableHash(kind + hash.slice(4)))).toEqual([true, true, true])
  // Years of work for one try would be a gift to whoever wants us busy.
  expect(isUsableHash(hash.replace('$08$', '$31$'))).toBe(false)
})

test('the first sign-in puts one of ours in its place; a wrong password does not', async () => {
  expect((await logIn('moved_0', 'not their password')).statusCode).toBe(401)
  expect(await hashOf('moved_0')).toBe(hash)
  const both = await Promise.all([logIn('moved_0', password), logIn('moved_0', password)])
  expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect(await hashOf('moved_0')).toMatch(/^\$argon2id\$/)
  expect((await logIn('moved_0', password)).statusCode).toBe(200)
})

test.runIf(isLong)('whether an account has such a password, its time does not tell', { timeout: 60_000 }, async () => {
  await timeInTurns(2, [(at) => logIn(`moved_${pairs + at}`, 'wrong one'), (at) => logIn(`warm_${at}`, 'wrong one')])
  const calls = [
    (at: number) => logIn(`moved_${at + 1}`, 'wrong one'),
    (at: number) => logIn(`nobody_${at}`, 'wrong one'),
  ]
  const times = await timeInTurns(
    pairs - 1,
    calls as [(at: number) => Promise<unknown>, (at: number) => Promise<unknown>],
  )
  expect(Math.abs(rankScore(...times))).toBeLessThan(suspicious)
})
