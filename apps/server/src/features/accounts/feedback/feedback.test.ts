/** When people are asked, and what comes of their answers. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as routes from '@wakestone/contract/accounts/feedback-routes'
import type { ApiError } from '@wakestone/contract/client'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { promoterScore } from './service.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startTestApi({ LIMIT_TICKETS: '0' })
  admin = await api.signUp({ admin: true })
})
afterAll(() => api.close())
const query = (text: string, values: unknown[]) => api.context.database.pool.query(text, values)
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    ({ body }: ApiError) => body.error,
  )

test('asked is who has had a server up for hours, a week after they came, once in 90 days', async () => {
  const { call, user } = await api.signUp()
  const isDue = async () => (await call(routes.getSurvey, {})).due
  expect(await isDue()).toBe(false)
  await query(`update users set created_at = now() - interval '8 days' where id = $1`, [user.id])
  expect(await isDue()).toBe(false)
  const server = await call(createServer, { body: order(await topUp(api.context, { user }, 10_000), '1.21.4') })
  for (const hour of [1, 2, 3])
    await query(
      `insert into server_hours (server_id, at, samples, cpu, cpu_most, memory, memory_most, disk, disk_most, players, players_most)
       values ($1, date_trunc('hour', now()) - $2 * interval '1 hour', 60, 0, 0, 0, 0, 0, 0, 1, 1)`,
      [server.id, hour],
    )
  expect(await isDue()).toBe(true)
  await query('update servers set crashed = true where id = $1', [server.id])
  expect(await isDue()).toBe(false)
  await query('update servers set crashed = false where id = $1', [server.id])
  await call(routes.noteSurveyShown, {})
  const asked = await call(routes.getSurvey, {})
  expect(asked.due).toBe(false)
  expect((Date.parse(asked.not_before ?? '') - Date.now()) / 86_400_000).toBeCloseTo(90, 1)
  await query(`update survey_asks set asked_at = now() - interval '91 days' where user_id = $1`, [user.id])
  expect(await isDue()).toBe(true)
  await call(routes.createReview, { body: { rate: 8 } })
  expect(await isDue()).toBe(false)
})

test('figures count what was said, in the days that are asked for', async () => {
  await query('delete from feedback', [])
  const { call, user } = await api.signUp()
  for (const [rate, causes, advantages] of [
    [10, [], ['fast', 'fast']],
    [9, ['lag'], ['fast']],
    [8, [], []],
    [3, ['lag', 'other'], []],
  ] as const)
    await call(routes.createReview, { body: { rate, causes: [...causes], advantages: [...advantages], age: '18_24' } })
  await query(`update feedback set created_at = '2026-01-15T12:00:00Z' where rate = 3 and user_id = $1`, [user.id])
  const all = await admin.call(routes.getFeedbackFigures, {})
  expect(all).toMatchObject({ count: 4, nps: 25, rates: [0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1] })
  expect(all.months[0]).toEqual({ month: '2026-01', count: 1, nps: -100 })
  const named = (list: readonly { name: string; count: number }[], name: string) =>
    list.find((one) => one.name === name)?.count
  expect([named(all.causes, 'lag'), named(all.advantages, 'fast'), named(all.ages, '18_24')]).toEqual([2, 2, 4])
  const january = await admin.call(routes.getFeedbackFigures, { query: { from: '2026-01-15', to: '2026-01-15' } })
  expect(january).toMatchObject({ count: 1, nps: -100 })
  expect(
    (await admin.call(routes.getFeedbackFigures, { query: { from: '2027-01-01', to: '2027-01-02' } })).nps,
  ).toBeNull()
  expect(
    (await admin.call(routes.listFeedback, { query: { kind: 'promoters' } })).data.map(({ rate }) => rate),
  ).toEqual([9, 10])
  expect(await refusal(call(routes.getFeedbackFigures, {}))).toBe('insufficient_capabilities')
})

test('others read what its writer has agreed to and an administrator has chosen, and nothing else', async () => {
  const { call, user } = await api.signUp()
  await call(routes.createReview, { body: { rate: 10, comment: 'Mine alone' } })
  await call(routes.createReview, { body: { rate: 9, comment: 'For all', may_publish: true, language: 'de' } })
  const { data } = await admin.call(routes.listFeedback, { query: { commented: '1' } })
  const find = (comment: string) => data.find((one) => one.comment === comment)?.id ?? ''
  const publish = (id: string, published: boolean) =>
    admin.call(routes.publishFeedback, { params: { id }, body: { published } })
  expect(await api.anonymous(routes.listReviews, {})).toEqual([])
  expect(await refusal(publish(find('Mine alone'), true))).toBe('access_denied')
  await publish(find('For all'), true)
  const shown = await api.anonymous(routes.listReviews, { query: { language: 'de' } })
  expect(shown).toEqual([
    {
      id: find('For all'),
      username: user.username,
      rate: 9,
      comment: 'For all',
      language: 'de',
      created_at: expect.any(String),
    },
  ])
  expect(await api.anonymous(routes.listReviews, { query: { language: 'pl' } })).toEqual([])
  await publish(find('For all'), false)
  expect(await api.anonymous(routes.listReviews, {})).toEqual([])
})

test('the promoter score', () => {
  expect([promoterScore(0, 0, 0), promoterScore(3, 3, 0), promoterScore(3, 0, 3), promoterScore(3, 1, 0)]).toEqual([
    null,
    100,
    -100,
    33,
  ])
})
