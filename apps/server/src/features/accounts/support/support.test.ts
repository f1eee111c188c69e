/** Writing to support, through the front door. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiError } from '@wakestone/contract/client'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { createReview } from '@wakestone/contract/accounts/feedback-routes'
import { createTicket, getTicketFieldOptions } from '@wakestone/contract/accounts/support-routes'
import { startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { listUserEvents } from '@wakestone/contract/accounts/users-routes'
import { order, topUp } from '../../../../../../tests/support/servers.ts'
import { waitForMail } from '../../../../../../tests/support/mail.ts'
import { registerSupportJobs } from './jobs.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ SUPPORT_EMAIL: 'desk@example.test', LIMIT_TICKETS: '3' })
  await registerSupportJobs(api.context)
})
afterAll(() => api.close())

const ticket = {
  topic: 'payments' as const,
  subject: 'My top-up is missing',
  message: 'I paid 50.00 PLN yesterday.\n\n<b>Where</b> is it?',
}
/** Everybody here has the same address; each test begins anew. */
const forgetLimits = () => api.context.database.pool.query('delete from request_limits')
const count = async (where: string) => {
  const { rows } = await api.context.database.pool.query(`select count(*)::int as count from ${where}`)
  return rows[0].count
}
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    ({ body }: ApiError) => [body.error, ...Object.keys(body.fields ?? {})],
  )

test('topics and states are those of the specification', async () => {
  const options = await api.anonymous(getTicketFieldOptions, {})
  expect(options.topics.toSorted()).toEqual(
    ['backup', 'offer', 'server_problem', 'site_problem', 'payments', 'sponsoring', 'other'].toSorted(),
  )
  expect(options.statuses).toEqual(['NEW', 'OPEN', 'PENDING', 'SOLVED', 'CLOSED'])
})

test('a visitor writes: support gets it, the writer hears that it arrived, in their language', async () => {
  await forgetLimits()
  const email = 'Guest@Example.test'
  const answer = await api.anonymous(createTicket, { body: { ...ticket, email, language: 'pl' } })
  expect(answer).toEqual({ number: expect.any(Number), status: 'NEW', id: null, answer_due_at: expect.any(String) })
  expect(Math.round((Date.parse(answer.answer_due_at ?? '') - Date.now()) / 3_600_000)).toBe(24)
  const toDesk = await waitForMail(api.dataDir, 'desk@example.test')
  expect(toDesk.subject).toBe(`[#${answer.number}] My top-up is missing`)
  expect(toDesk.replyTo?.[0]?.address).toBe('guest@example.test')
  expect(toDesk.text).toContain('<b>Where</b> is it?')
  expect(toDesk.html).toContain('&lt;b&gt;Where&lt;/b&gt; is it?')
  const toWriter = await waitForMail(api.dataDir, 'guest@example.test')
  expect(toWriter.subject).toBe(`Mamy Twoją wiadomość (nr ${answer.number})`)
  expect(toWriter.text).toContain('zwykle w ciągu 24 godzin')
  // The form takes any address: nothing that was typed may be sent on to it.
  expect(`${toWriter.text}${toWriter.html}`).not.toMatch(/top-up|50\.00/)
})

test('a user is answered at the account’s address, whatever they type', async () => {
  await forgetLimits()
  const { call, user } = await api.signUp()
  const { number } = await call(createTicket, { body: { ...ticket, email: 'someone.else@example.test' } })
  const mail = await waitForMail(api.dataDir, user.email)
  expect(mail.subject).toBe(`Your message has arrived (#${number})`)
  expect(mail.text).toContain(`“My top-up is missing” is ticket #${number}`)
  expect(await count(`support_tickets where user_id = '${user.id}' and email = '${user.email}'`)).toBe(1)
  expect(await count(`support_messages where author_id = '${user.id}'`)).toBe(1)
})

test.each([
  ['no address from a visitor', {}, ['invalid_request', 'email']],
  ['a bad address', { email: 'nobody' }, ['invalid_request', 'email']],
  ['an unknown topic', { email: 'a@example.test', topic: 'gossip' }, ['invalid_request', 'topic']],
  ['a subject of two lines', { email: 'a@example.test', subject: 'Hi\r\nBcc: b@x.y' }, ['invalid_request', 'subject']],
  ['a subject too long', { email: 'a@example.test', subject: 'x'.repeat(121) }, ['invalid_request', 'subject']],
  ['hardly a message', { email: 'a@example.test', message: '   help   ' }, ['invalid_request', 'message']],
  ['a message too long', { email: 'a@example.test', message: 'x'.repeat(5001) }, ['invalid_request', 'message']],
  ['a NUL', { email: 'a@example.test', message: 'x'.repeat(10) + '\0' }, ['invalid_request']],
])('refuses %s and stores nothing', async (_what, change, expected) => {
  await forgetLimits()
  const before = await count('support_tickets')
  expect(await refusal(api.anonymous(createTicket, { body: { ...ticket, ...change } as never }))).toEqual(expected)
  expect(await count('support_tickets')).toBe(before)
})

test('a robot that fills in every field is thanked, and nothing is kept', async () => {
  await forgetLimits()
  const before = await count('support_tickets')
  const body = { ...ticket, email: 'robot@example.test', website: 'https://spam.example' }
  expect(await api.anonymous(createTicket, { body })).toEqual({
    number: expect.any(Number),
    status: 'NEW',
    id: null,
    answer_due_at: expect.any(String),
  })
  expect(await count('support_tickets')).toBe(before)
})

test('an address sends so many tickets, an account and a mailbox too', async () => {
  await forgetLimits()
  const { call } = await api.signUp()
  const write = () => refusal(call(createTicket, { body: ticket }))
  expect([await write(), await write(), await write()]).toEqual(['success', 'success', 'success'])
  expect(await write()).toEqual(['too_many_requests', 'resource', 'retry_after'])
  await api.context.database.pool.query(`delete from request_limits where subject like 'ticket:ip:%'`)
  expect(await write()).toContain('too_many_requests')
})

test('a review is an event of its writer, with the server that it was written beside', async () => {
  await forgetLimits()
  const { call, user } = await api.signUp()
  const walletId = await topUp(api.context, { user }, 10_000)
  const server = await call(createServer, { body: order(walletId, '1.21.4') })
  const said = {
    rate: 7,
    causes: ['lag', 'unintuitive_interface'],
    advantages: ['good_price'],
    comment: 'Zażółć\n<b>gęślą</b> jaźń',
    age: '18_24',
  } as const
  await call(createReview, { body: { ...said, causes: [...said.causes], advantages: ['good_price'] } })
  await call(createReview, { body: { rate: 0, server_id: server.id, language: 'pl' } })
  const events = await call(listUserEvents, { params: { id: user.id }, query: { action: 'USER_RATED_APP' } })
  expect(events.data.map(({ data }) => data)).toEqual([
    {
      rate: 0,
      causes: [],
      advantages: [],
      username: user.username,
      user_url: expect.stringMatching(new RegExp(`^http.*/pl/user/${user.id}$`)),
      panel_language: 'pl',
      server: server.name,
      server_id: server.id,
      engine: 'flying-squid',
      duration: expect.any(Number),
    },
    {
      ...said,
      username: user.username,
      user_url: expect.stringMatching(new RegExp(`^http.*/en/user/${user.id}$`)),
      panel_language: 'en',
    },
  ])

  const other = await api.signUp()
  expect(await refusal(other.call(createReview, { body: { rate: 5, server_id: server.id } }))).toEqual([
    'server_id_not_found',
    'resource',
  ])
  expect(await refusal(api.anonymous(createReview, { body: { rate: 5 } }))).toEqual(['unauthorized'])
  for (const bad of [{}, { rate: 11 }, { rate: -1 }, { rate: 4.5 }, { rate: 5, causes: ['boredom'] }]) {
    expect((await refusal(other.call(createReview, { body: bad as never })))[0]).toBe('invalid_request')
  }
})

test('so many reviews in an hour, which take nothing from tickets', async () => {
  await forgetLimits()
  const { call } = await api.signUp()
  const rate = () => refusal(call(createReview, { body: { rate: 5 } }))
  expect([await rate(), await rate(), await rate()]).toEqual(['success', 'success', 'success'])
  expect(await rate()).toContain('too_many_requests')
  expect(await refusal(call(createTicket, { body: ticket }))).toBe('success')
})
