import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { ApiClient } from '@wakestone/contract/client'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import { listWalletLogs } from '@wakestone/contract/money/wallets-routes'
import { getService, getServiceCost } from '@wakestone/contract/sales/billings-routes'
import { answersOf, keepWhile, makeStale, queryOf } from './query-of.ts'
import { aboutService, aboutUser } from './stale-answers.ts'

const app = join(import.meta.dirname, '..')

test('nobody else makes keys by hand', () => {
  const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !file.startsWith(join('api', 'query-of')),
  )
  expect(files.length).toBeGreaterThan(300)
  // Reading the key of a query that `queryOf` made is fine.
  const byHand = files.filter((file) => /(?<!\.)\bqueryKey\b/.test(readFileSync(join(app, file), 'utf8')))
  expect(byHand).toEqual([])
})

/** Notes what is asked for, and answers nothing of use. */
const client: ApiClient = async () => ({}) as never
const query = {
  cost: (id: string) => queryOf(getServiceCost, { params: { id }, query: { currency: 'PLN' } }, { client }),
  inEuros: queryOf(getServiceCost, { params: { id: 'a' }, query: { currency: 'EUR' } }, { client }),
  service: (id: string) => queryOf(getService, { params: { id } }, { client }),
  notifications: queryOf(listNotifications, { params: { id: 'u' }, query: { limit: 5, language: 'de' } }, { client }),
}

async function fill() {
  const queries = new QueryClient()
  const all = [
    query.cost('a'),
    query.cost('b'),
    query.inEuros,
    query.service('a'),
    query.service('b'),
    query.notifications,
  ]
  await Promise.all(all.map((one) => queries.prefetchQuery(one as never)))
  return {
    queries,
    stale: () => all.map(({ queryKey }) => queries.getQueryState(queryKey as never)?.isInvalidated),
  }
}

test('one call of a route is one query, whatever the order of what it was called with', async () => {
  const { queries } = await fill()
  const same = queryOf(listNotifications, { params: { id: 'u' }, query: { language: 'de', limit: 5 } }, { client })
  expect(queries.getQueryData(same.queryKey)).toEqual({})
  const other = queryOf(listNotifications, { params: { id: 'u' }, query: { language: 'en', limit: 5 } }, { client })
  expect(queries.getQueryData(other.queryKey)).toBeUndefined()
})

test.each([
  ['a route', [answersOf(getServiceCost)], [true, true, true, false, false, false]],
  ['a route of one thing', [answersOf(getServiceCost, { id: 'a' })], [true, false, true, false, false, false]],
  ['all about a service', aboutService('b'), [false, true, false, false, true, false]],
  ['all about every service', aboutService(), [true, true, true, true, true, false]],
  ['all about a user', aboutUser('u'), [false, false, false, false, false, true]],
  ['all about another user', aboutUser('v'), [false, false, false, false, false, false]],
])('stale by %s', async (_, answers, expected) => {
  const { queries, stale } = await fill()
  await makeStale(queries, ...answers)
  expect(stale()).toEqual(expected)
})

test('a page stays in sight for the next one of the same list only', () => {
  const keep = keepWhile({ id: 'a' })
  const before = (id: string) => queryOf(listWalletLogs, { params: { id }, query: { limit: 3 } }, { client })
  expect(keep('shown', before('a') as never)).toBe('shown')
  expect(keep('shown', before('b') as never)).toBeUndefined()
  expect(keep('shown', undefined)).toBeUndefined()
})
