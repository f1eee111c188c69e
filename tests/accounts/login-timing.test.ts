/**
 * That an account exists is told neither by what is answered nor by when; and that guessing at one, from wherever and
 * however often, locks its owner's browser out no more than it slows anybody else.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loginLocal, register, verify } from '@wakestone/contract/accounts/users-routes'
import { createCookieClient, startTestApi, type TestApi } from '../support/api.ts'
import { isLong, someOf } from '../support/long.ts'
import { rankScore, timeInTurns } from '../support/rank-test.ts'
import { hashPassword, isPasswordRight } from '../../apps/server/src/features/accounts/sign-in/passwords.ts'
import { findUserByLogin } from '../../apps/server/src/features/accounts/users/repo.ts'

const password = 'correct horse battery'
/** By chance once in 16 000 times; a login that looks at the password of known accounts only scores beyond 8. */
const suspicious = 4
const accounts = isLong ? 200 : 100
/** With fewer, such a login scores hardly more than what is suspicious. */
const logins = isLong ? 50 : 30

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
  const hash = await hashPassword(password)
  const rows = Array.from({ length: accounts }, (_, at) => ({
    username: `known_${at}`,
    email: `known_${at}@example.test`,
    password_hash: hash,
    language: 'en',
    country_code: 'PL',
  }))
  await api.context.db.insertInto('users').values(rows).execute()
})
afterAll(() => api.close())

let asked = 0
/** Everybody asks from an address of their own. */
const post = (path: string, payload: object, headers: Record<string, string> = {}) => {
  asked++
  const remoteAddress = `10.${(asked >> 16) & 255}.${(asked >> 8) & 255}.${asked & 255}`
  return api.api.app.inject({ method: 'POST', url: `/api/v1${path}`, payload, headers, remoteAddress })
}
const logIn = (login: string, wrong = 'not their password') => post('/users/login/local', { login, password: wrong })

describe('whether an account exists', () => {
  const ways = [
    { name: 'a login with a wrong password', pairs: logins, ask: (login: string) => logIn(login) },
    {
      name: 'a forgotten password',
      pairs: accounts,
      ask: (login: string) => post('/users/password/reset', { email: `${login}@example.test` }),
    },
    {
      name: 'a code by mail',
      pairs: accounts,
      ask: (login: string) => post('/users/auth/email/begin', { email: `${login}@example.test` }),
    },
  ]

  test.each(ways)('is not told by the answer to $name', async ({ ask }) => {
    const answers = await Promise.all([ask('known_0'), ask('nobody_0')])
    const [known, unknown] = answers.map(({ statusCode, headers, body }) => {
      const { 'x-transaction-id': _, date: __, 'set-cookie': cookies, ...rest } = headers
      const named = [cookies ?? []].flat().map((cookie) => cookie.replace(/=[^;]*/, ''))
      return { statusCode, rest, named, body: body.replace(/"event_id":"\w+"/, '') }
    })
    expect(known).toEqual(unknown)
  })

  test.each(someOf(ways, 1))('is not told by the time of $name', { timeout: 60_000 }, async ({ ask, pairs }) => {
    await timeInTurns(3, [(at) => ask(`warm_known_${at}`), (at) => ask(`warm_nobody_${at}`)])
    const [known, unknown] = await timeInTurns(pairs, [(at) => ask(`known_${at}`), (at) => ask(`nobody_${at}`)])
    expect(Math.abs(rankScore(known, unknown))).toBeLessThan(suspicious)
  })

  test.runIf(isLong)(
    'would be told by a login that looks at passwords of known accounts only',
    { timeout: 60_000 },
    async () => {
      const { db } = api.context
      const naive = async (login: string) => {
        const user = await findUserByLogin(db, login)
        return user !== undefined && isPasswordRight(user.password_hash, 'not their password')
      }
      const times = await timeInTurns(logins, [(at) => naive(`known_${at}`), (at) => naive(`nobody_${at}`)])
      expect(rankScore(...times)).toBeGreaterThan(suspicious)
    },
  )
})

test('the score tells shifted samples from equal ones, whatever their outliers', () => {
  const noise = () => 50 + Math.random() * 20 + (Math.random() < 0.05 ? 1000 : 0)
  const sample = (shift: number) => Array.from({ length: 50 }, () => noise() + shift)
  const scores = Array.from({ length: 200 }, () => rankScore(sample(0), sample(0)))
  expect(scores.every((score) => Math.abs(score) < 5)).toBe(true)
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
  const variance = scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length
  expect(Math.abs(mean)).toBeLessThan(0.5)
  expect(variance).toBeGreaterThan(0.5)
  expect(variance).toBeLessThan(1.7)
  for (let time = 0; time < 50; time++) expect(rankScore(sample(15), sample(0))).toBeGreaterThan(suspicious)
  expect(rankScore([1, 1, 2], [1, 1, 2])).toBe(0)
})

describe('guessing', () => {
  const wrongPasswords = isLong ? 10_000 : 300
  const codeOf = ({ body }: { body: string }) => (JSON.parse(body) as { error?: string }).error
  const triesLookedAt = async (login: string) => {
    const { db } = api.context
    const rows = await db.selectFrom('login_failures').select('id').where('subject', '=', `account:${login}`).execute()
    return rows.length
  }

  test('many at once are looked at as often as one after another', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => logIn('known_50')))
    const codes = answers.map(codeOf)
    expect(codes.filter((code) => code === 'wrong_password_or_username').length).toBeLessThanOrEqual(5)
    expect(codes.filter((code) => code === 'too_many_requests').length).toBeGreaterThanOrEqual(195)
    expect(await triesLookedAt('known_50')).toBeLessThanOrEqual(5)
  })

  test(
    `${wrongPasswords} times at one account shuts out neither its owner nor others`,
    { timeout: 240_000 },
    async () => {
      const owner = createCookieClient(api.origin)
      const { username } = await owner.call(register, {
        body: { username: 'besieged', email: 'besieged@example.test', password, language: 'en', accepted_tos: true },
      })
      const device = owner.cookie() // their browser, which is signed out below
      const known = device.replace(/ws_(access|refresh)=[^;]*;? ?/g, '')
      expect(known).toMatch(/^ws_device=/)
      let sent = 0
      const guess = async () => {
        while (sent < wrongPasswords) {
          const number = sent++
          const answer = await logIn(username, `guess number ${number}`)
          expect(['too_many_requests', 'wrong_password_or_username']).toContain(codeOf(answer))
          const part = wrongPasswords / 5
          if (number % part === part / 2) {
            const own = await post('/users/login/local', { login: username, password }, { cookie: known })
            expect([number, own.statusCode]).toEqual([number, 200])
            const other = await post('/users/login/local', { login: `known_${Math.ceil(number / part)}`, password })
            expect([number, other.statusCode]).toEqual([number, 200])
          }
        }
      }
      await Promise.all(Array.from({ length: 32 }, guess))
      expect(sent).toBe(wrongPasswords)
      // The rest cost no more than a question: an argon2 for each would have held up everybody.
      expect(await triesLookedAt(username)).toBeLessThanOrEqual(20)
      expect((await owner.call(verify, {})).username).toBe(username)
      await owner.call(loginLocal, { body: { login: username, password } })
    },
  )
})
