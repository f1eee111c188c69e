/** A ticket from its first word to its end, through the front door: panel, mails in and out, desk. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import sharp from 'sharp'
import * as routes from '@wakestone/contract/accounts/support-routes'
import { getFeedbackFigures } from '@wakestone/contract/accounts/feedback-routes'
import type { ApiError } from '@wakestone/contract/client'
import { listNotifications } from '@wakestone/contract/ground/notifications-routes'
import { createServer } from '@wakestone/contract/servers/servers-routes'
import { type Caller, startTestApi, type TestApi } from '../../../../../../tests/support/api.ts'
import { isLong } from '../../../../../../tests/support/long.ts'
import { waitForMail } from '../../../../../../tests/support/mail.ts'
import { order, shareServer, topUp } from '../../../../../../tests/support/servers.ts'
import { closeSolved } from './desk.ts'
import { registerSupportJobs } from './jobs.ts'

const secret = 'a-secret-of-the-mail-server'
const desk = 'desk@example.test'
let api: TestApi
/** Answers tickets, and administers nothing else. */
let agent: Caller
beforeAll(async () => {
  api = await startTestApi({ SUPPORT_EMAIL: desk, SUPPORT_INBOUND_SECRET: secret, LIMIT_TICKETS: '0' })
  await registerSupportJobs(api.context)
  agent = await api.signUp({ capabilities: { 'admin.support': true } })
})
afterAll(() => api.close())

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'success',
    ({ body }: ApiError) => body.error,
  )
const ask = {
  topic: 'server_problem',
  subject: 'It does not start',
  message: 'Since this morning it stays off.',
} as const
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await api.context.database.pool.query<Row>(text, values)).rows

/** Hands a mail over as the operator's mail server does. */
async function mailIn(lines: readonly string[], bearer = secret) {
  const answer = await fetch(`${api.origin}/internal/mail/inbound`, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'message/rfc822' },
    body: lines.join('\r\n'),
  })
  return {
    status: answer.status,
    body: (await answer.json()) as { outcome?: string; reason?: string; number?: number },
  }
}
let mails = 0
const mail = (from: string, body: string, headers: readonly string[] = []) => [
  `From: ${from}`,
  `To: ${desk}`,
  `Message-ID: <m${++mails}@mail.example>`,
  'Content-Type: text/plain; charset=utf-8',
  ...headers,
  '',
  body,
]
const open = async (caller: Caller, more: object = {}) => {
  const { id, number } = await caller.call(routes.createTicket, { body: { ...ask, ...more } })
  if (id === null) throw new Error('a user has no ticket')
  return { id, number, params: { id }, deskParams: { ticketId: id } }
}

test('asked, answered, answered by mail, solved, rated: both sides see the same, and mails are one conversation', async () => {
  const customer = await api.signUp()
  const { email } = customer.user
  const { params, deskParams, number } = await open(customer)
  const receipt = await waitForMail(api.dataDir, email, /has arrived/)
  expect(receipt.text).toContain('/en/account/support/')

  const queue = await agent.call(routes.listDeskTickets, {
    query: { state: 'new', assignee: 'nobody', q: `#${number}` },
  })
  expect(queue).toMatchObject({ count: 1, answer_hours: 24 })
  expect(queue.data[0]).toMatchObject({ number, status: 'NEW', user: { username: customer.user.username } })
  const [{ waiting_since: since = null, answer_due_at: due = null } = {}] = queue.data
  expect(Date.parse(due ?? '') - Date.parse(since ?? '')).toBe(24 * 3_600_000)

  await agent.call(routes.noteOnTicket, { params: deskParams, body: { message: 'Looks like memory again.' } })
  const answered = await agent.call(routes.answerTicket, {
    params: deskParams,
    body: { message: 'Which mods did you add?' },
  })
  expect(answered).toMatchObject({ status: 'PENDING', assignee: { id: agent.user.id }, waiting_since: null })

  const thread = await customer.call(routes.getTicket, { params })
  expect(thread.messages.map(({ author, body }) => [author, body])).toEqual([
    ['writer', ask.message],
    ['staff', 'Which mods did you add?'],
  ])
  expect(JSON.stringify(thread)).not.toMatch(/memory again|is_note|waiting_since/)
  const { notifications } = await customer.call(listNotifications, { params: { id: customer.user.id } })
  expect(notifications[0]).toMatchObject({
    type: 'SUPPORT_TICKET_UPDATED',
    resource_type: 'ticket',
    resource_id: params.id,
    actions: [{ path: `/account/support/${params.id}` }],
  })

  const answer = await waitForMail(api.dataDir, email, /^Re: It does not start/)
  expect(answer.replyTo?.[0]?.address).toBe(desk)
  expect(answer.inReplyTo).toBe(receipt.messageId)
  expect(answer.text).toContain('Which mods did you add?')
  expect(answer.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('no')

  const reply = mail(
    `"Somebody" <${email.toUpperCase()}>`,
    [
      'Only lanterns 2.0.',
      '',
      'On Tue, desk wrote:',
      ...(answer.text ?? '').split('\n').map((line) => `> ${line}`),
    ].join('\r\n'),
    [`In-Reply-To: ${answer.messageId}`, `References: ${receipt.messageId} ${answer.messageId}`],
  )
  expect((await mailIn(reply)).body).toEqual({ outcome: 'added', reason: null, number })
  expect((await mailIn(reply)).body).toMatchObject({ outcome: 'ignored', reason: 'repeated' })
  const again = await agent.call(routes.getDeskTicket, { params: deskParams })
  expect(again.status).toBe('OPEN')
  expect(again.messages.at(-1)).toMatchObject({
    author: 'writer',
    via: 'mail',
    body: 'Only lanterns 2.0.',
    is_note: false,
  })

  // Support answers from its own mailbox: the account is known by its address.
  const toDesk = await waitForMail(api.dataDir, desk, new RegExp(`^Re: \\[#${number}\\]`))
  expect(toDesk.text).toContain('Only lanterns 2.0.')
  const fromDesk = mail(agent.user.email, 'Take them out, please.', [`In-Reply-To: ${toDesk.messageId}`])
  expect((await mailIn(fromDesk)).body).toMatchObject({ outcome: 'added', number })
  expect(await customer.call(routes.getTicket, { params })).toMatchObject({ status: 'PENDING' })

  expect(await refusal(customer.call(routes.rateTicket, { params, body: { rate: 'good' } }))).toBe(
    'ticket_cannot_do_that',
  )
  await customer.call(routes.solveTicket, { params })
  const rated = await customer.call(routes.rateTicket, { params, body: { rate: 'good', comment: 'Quick!' } })
  expect(rated).toMatchObject({ status: 'SOLVED', satisfaction: { rate: 'good', comment: 'Quick!' } })
  const admin = await api.signUp({ admin: true })
  expect((await admin.call(getFeedbackFigures, {})).support).toMatchObject({ good: 1, bad: 0 })

  // Solved, and a week without a word: closed. Whoever writes to that begins another ticket, which names it.
  expect(await closeSolved(api.context)).toBe(0)
  await query(`update support_tickets set solved_at = now() - interval '8 days' where id = $1`, [params.id])
  expect(await closeSolved(api.context)).toBe(1)
  expect(await refusal(customer.call(routes.writeTicketMessage, { params, body: { message: 'More' } }))).toBe(
    'ticket_cannot_do_that',
  )
  const late = await mailIn(mail(email, 'It is back.', [`References: ${answer.messageId}`]))
  expect(late.body).toMatchObject({ outcome: 'opened' })
  const [next] = await customer.call(routes.listUserTickets, {
    params: { id: customer.user.id },
    query: { state: 'new' },
  })
  expect(next?.number).toBe(late.body.number)
  expect(await customer.call(routes.getTicket, { params: { id: next?.id ?? '' } })).toMatchObject({
    follows: { number },
  })
})

test.runIf(isLong)('a visitor is answered by mail alone, and answers by mail', async () => {
  const email = 'wanderer@example.test'
  const { number, id } = await api.anonymous(routes.createTicket, { body: { ...ask, email, language: 'de' } })
  expect(id).toBeNull()
  await waitForMail(api.dataDir, email)
  const { data } = await agent.call(routes.listDeskTickets, { query: { q: email } })
  expect(data).toMatchObject([{ number, user: null, language: 'de' }])
  const deskParams = { ticketId: data[0]?.id ?? '' }
  await agent.call(routes.answerTicket, { params: deskParams, body: { message: 'Schalte ihn ein.', status: 'SOLVED' } })
  const answer = await waitForMail(api.dataDir, email, /^Re:/)
  expect(answer.text).toContain('Schalte ihn ein.')
  expect(answer.text).toContain('Falls nicht, antworte einfach')
  expect(answer.text).not.toContain('/account/support')
  expect((await mailIn(mail(email, 'Geht nicht.', [`In-Reply-To: ${answer.messageId}`]))).body.outcome).toBe('added')
  expect(await agent.call(routes.getDeskTicket, { params: deskParams })).toMatchObject({ status: 'OPEN' })
  // A mail to the bare address is a ticket of its own, of a visitor, whoever it says that it is from.
  const { user } = await api.signUp()
  const fresh = await mailIn(mail(user.email, 'Hello there', ['Subject: =?utf-8?Q?Za=C5=BC=C3=B3=C5=82=C4=87?=']))
  expect(fresh.body.outcome).toBe('opened')
  expect((await agent.call(routes.listDeskTickets, { query: { q: `#${fresh.body.number}` } })).data).toMatchObject([
    { subject: 'Zażółć', user: null, email: user.email, topic: 'other' },
  ])
})

test('somebody else’s mail to a ticket is a note for support, and opens nothing', async () => {
  const customer = await api.signUp()
  const { params, deskParams, number } = await open(customer)
  await agent.call(routes.answerTicket, { params: deskParams, body: { message: 'Please send the log.' } })
  const answer = await waitForMail(api.dataDir, customer.user.email, /^Re:/)
  const named = [`In-Reply-To: ${answer.messageId}`]
  for (const from of ['mallory@example.test', agent.user.email, desk])
    expect((await mailIn(mail(from, `I am ${from}`, named))).body).toMatchObject({ outcome: 'noted', number })
  expect((await customer.call(routes.getTicket, { params })).messages).toHaveLength(2)
  const shown = await agent.call(routes.getDeskTicket, { params: deskParams })
  expect(shown.status).toBe('PENDING')
  expect(shown.messages.slice(2).map(({ is_note, sender }) => [is_note, sender])).toEqual([
    [true, 'mallory@example.test'],
    [true, agent.user.email],
    [true, desk],
  ])
  // A name that is made up, of another reader, or cut, leads nowhere: what comes is a ticket of its own.
  const own = answer.messageId ?? ''
  for (const forged of [
    own.replace(/[0-9a-f]{40}@/, `${'0'.repeat(40)}@`),
    own.replace('ticket.w', 'ticket.d'),
    own.slice(0, -20),
  ])
    expect((await mailIn(mail(customer.user.email, 'let me in', [`In-Reply-To: ${forged}`]))).body.outcome).toBe(
      'opened',
    )
  expect((await agent.call(routes.getDeskTicket, { params: deskParams })).messages).toHaveLength(5)
})

test.each([
  ['an absence note', ['Auto-Submitted: auto-replied'], 'automatic'],
  ['what is sent in bulk', ['Precedence: bulk'], 'automatic'],
  ['a reply of a program', ['X-Autoreply: yes'], 'automatic'],
  ['a list', ['List-Id: <news.example>'], 'list'],
  ['a bounce by its path', ['Return-Path: <>'], 'bounce'],
  ['a report', ['Content-Type: multipart/report; boundary=x; report-type=delivery-status'], 'bounce'],
])('answers no program: %s', async (_what, headers, reason) => {
  const before = (await agent.call(routes.listDeskTickets, { query: { state: 'all' } })).count
  const base = mail('someone@example.test', 'I am away until Monday').filter(
    (line) => !headers.some((header) => header.startsWith('Content-Type')) || !line.startsWith('Content-Type'),
  )
  const [end] = [base.indexOf('')]
  expect((await mailIn([...base.slice(0, end), ...headers, ...base.slice(end)])).body).toMatchObject({
    outcome: 'ignored',
    reason,
  })
  expect((await agent.call(routes.listDeskTickets, { query: { state: 'all' } })).count).toBe(before)
})

test('what we have sent ourselves does not come back in, and two machines do not talk to each other', async () => {
  const customer = await api.signUp()
  await open(customer)
  const receipt = await waitForMail(api.dataDir, customer.user.email)
  // As a mailbox does that forwards everything to us.
  const folder = join(api.dataDir, 'outbox')
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
  const { readFileSync } = await import('node:fs')
  const raw = names
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .findLast((text) => text.includes(receipt.messageId ?? '?'))
  expect((await mailIn([raw ?? ''])).body.outcome).toBe('ignored')
  for (const from of ['MAILER-DAEMON@mx.example', 'no-reply@shop.example'])
    expect((await mailIn(mail(from, 'Undelivered'))).body.outcome).toBe('ignored')
  expect((await mailIn(mail('a@example.test, b@example.test', 'x', ['From: c@example.test']))).body.reason).toBe(
    'no_sender',
  )
  expect((await mailIn(mail('quiet@example.test', ''))).body.reason).toBe('empty')
})

test('only the mail server hands mails over, and none that are too large or too deep', async () => {
  expect((await mailIn(mail('a@example.test', 'x'), 'wrong')).status).toBe(401)
  const large = await mailIn(mail('a@example.test', 'x'.repeat(15_000_100)))
  expect([large.status, (large.body as { error?: string }).error]).toEqual([413, 'request_too_large'])
  const depth = 400
  const nested = Array.from({ length: depth }, (_, level) => [
    `Content-Type: multipart/mixed; boundary="b${level}"`,
    '',
    `--b${level}`,
  ]).flat()
  const head = ['From: deep@example.test', `To: ${desk}`, 'Message-ID: <deep@mail.example>', 'MIME-Version: 1.0']
  const began = performance.now()
  expect((await mailIn([...head, ...nested, '', 'the middle'])).body).toMatchObject({ outcome: 'ignored' })
  const headers = Array.from({ length: 20_000 }, (_, index) => `X-Filler-${index}: ${'y'.repeat(40)}`)
  expect((await mailIn([...head, ...headers, '', 'text'])).body).toMatchObject({
    outcome: 'ignored',
    reason: 'unreadable',
  })
  expect((await mailIn(['\u0000\u0001', 'no mail at all'])).body.outcome).toBe('ignored')
  expect(performance.now() - began).toBeLessThan(10_000)
})

const picture = () =>
  sharp({ create: { width: 400, height: 300, channels: 3, background: '#5fc08a' } })
    .withExif({ IFD0: { Artist: 'Somebody Secret' } })
    .png()
    .toBuffer()

test(
  'files: pictures are drawn anew, texts kept as texts, all else refused by what it is',
  { timeout: 90_000 },
  async () => {
    const customer = await api.signUp()
    const { params, deskParams } = await open(customer)
    const send = async (
      files: [name: string, bytes: Uint8Array<ArrayBuffer> | string][],
      path = `/support/tickets/${params.id}/messages`,
    ) => {
      const form = new FormData()
      form.set('payload_json', JSON.stringify({ message: 'See these', file_names: files.map(([name]) => name) }))
      for (const [name, bytes] of files) form.append('file', new Blob([bytes]), name)
      const answer = await fetch(`${api.origin}/api/v1${path}`, {
        method: 'POST',
        headers: { cookie: customer.cookie() },
        body: form,
      })
      return { status: answer.status, body: (await answer.json()) as { error?: string } }
    }
    const png = new Uint8Array(await picture())
    expect(
      (
        await send([
          ['../../evil\u202Egnp.png', png],
          ['latest.log', 'Done (1.2s)!\n'],
        ])
      ).status,
    ).toBe(201)
    const { messages } = await customer.call(routes.getTicket, { params })
    const files = messages.at(-1)?.attachments ?? []
    expect(files).toMatchObject([
      { name: 'evilgnp.webp', kind: 'picture', width: 400, height: 300 },
      { name: 'latest.log', kind: 'text', bytes: 13 },
    ])
    const load = (id: string, caller: Caller | undefined) =>
      fetch(`${api.origin}/api/v1/support/attachments/${id}`, {
        headers: caller === undefined ? {} : { cookie: caller.cookie() },
      })
    const shown = await load(files[0]?.id ?? '', customer)
    const bytes = Buffer.from(await shown.arrayBuffer())
    expect([shown.headers.get('content-type'), (await sharp(bytes).metadata()).format]).toEqual(['image/webp', 'webp'])
    expect(bytes.includes('Somebody Secret')).toBe(false)
    const log = await load(files[1]?.id ?? '', agent)
    expect([log.status, log.headers.get('content-type'), await log.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      'Done (1.2s)!\n',
    ])
    expect(log.headers.get('content-disposition')).toMatch(/^attachment/)
    expect((await load(files[0]?.id ?? '', await api.signUp())).status).toBe(404)
    expect((await load(files[0]?.id ?? '', undefined)).status).toBe(404)

    const kept = () => readdirSync(join(api.dataDir, 'support', 'attachments')).length
    const before = kept()
    const refused: [string, Uint8Array<ArrayBuffer> | string, string][] = [
      ['page.png', '<!doctype html><script>alert(1)</script>', 'invalid_file'],
      ['drawing.txt', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'invalid_file'],
      ['program.log', '\u007FELF\u0000\u0001', 'invalid_file'],
      ['broken.png', png.slice(0, 60), 'invalid_file'],
      ['empty.txt', '', 'invalid_file'],
      ['long.txt', 'x'.repeat(1024 * 1024 + 1), 'file_is_too_large'],
      ['huge.bin', 'x'.repeat(5 * 1024 * 1024 + 1), 'file_is_too_large'],
    ]
    for (const [name, content, code] of refused)
      expect([
        name,
        (
          await send([
            ['fine.txt', 'fine'],
            [name, content],
          ])
        ).body.error,
      ]).toEqual([name, code])
    expect(kept()).toBe(before)
    expect((await agent.call(routes.getDeskTicket, { params: deskParams })).messages).toHaveLength(2)

    // By mail: what cannot be taken is left out, and that is said.
    const answerMail = await agent
      .call(routes.answerTicket, { params: deskParams, body: { message: 'And the picture?' } })
      .then(() => waitForMail(api.dataDir, customer.user.email, /^Re:/))
    const part = (name: string, type: string, content: string) => [
      '--b',
      `Content-Type: ${type}; name="${name}"`,
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: attachment; filename="${name}"`,
      '',
      content,
    ]
    const sent = await mailIn([
      `From: ${customer.user.email}`,
      `To: ${desk}`,
      'Message-ID: <files@mail.example>',
      `In-Reply-To: ${answerMail.messageId}`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary="b"',
      '',
      '--b',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<p>Here it <b>is</b> &amp; more</p><script>alert(1)</script>',
      ...part('shot.png', 'image/png', Buffer.from(png).toString('base64').replace(/.{76}/g, '$&\r\n')),
      ...part('run.exe', 'application/octet-stream', Buffer.from('MZ\u0000\u0001').toString('base64')),
      '--b--',
    ])
    expect(sent.body.outcome).toBe('added')
    const last = (await customer.call(routes.getTicket, { params })).messages.at(-1)
    expect(last).toMatchObject({
      body: 'Here it is & more',
      left_out: 1,
      attachments: [{ name: 'shot.webp', kind: 'picture' }],
    })
  },
)

test('visitors leave no files', async () => {
  const form = new FormData()
  form.set('payload_json', JSON.stringify({ ...ask, email: 'filer@example.test' }))
  form.append('file', new Blob(['x']), 'x.txt')
  const answer = await fetch(`${api.origin}/api/v1/support/ticket`, { method: 'POST', body: form })
  expect(answer.status).toBe(401)
  expect(
    existsSync(join(api.dataDir, 'marketplace', 'incoming'))
      ? readdirSync(join(api.dataDir, 'marketplace', 'incoming'))
      : [],
  ).toEqual([])
})

test('a server goes along with its state and its last lines, without their secrets; others’ servers do not', async () => {
  const owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 10_000)
  const server = await owner.call(createServer, { body: order(walletId, '1.21.4') })
  await query(
    `insert into server_crashes (server_id, at, tag, details, exit_code, exit_signal, heap, last_lines)
     values ($1, now(), 'out_of_memory', '{}', 1, null, null, $2)`,
    [server.id, ['Steve[/203.0.113.5:5000] logged in', 'rcon.password=hunter22', 'java.lang.OutOfMemoryError']],
  )
  const { params } = await open(owner, { server_id: server.id })
  const { context, server: named } = await owner.call(routes.getTicket, { params })
  expect(named).toEqual({ id: server.id, name: 'Meadow' })
  expect(context).toMatchObject({
    engine: 'flying-squid',
    product: expect.any(String),
    crash: { tag: 'out_of_memory', exit: { code: 1 } },
    lines_from: 'crash',
    lines: ['Steve[/[address]:5000] logged in', 'rcon.password=[secret]', 'java.lang.OutOfMemoryError'],
  })
  const [stored] = await query<{ context: object }>('select context from support_tickets where id = $1', [params.id])
  expect(JSON.stringify(stored?.context)).not.toMatch(/hunter22|203\.0/)

  const other = await api.signUp()
  expect(await refusal(open(other, { server_id: server.id }))).toBe('server_id_not_found')
  await shareServer(api.context, {
    serverId: server.id,
    userId: other.user.id,
    capabilities: { 'server.manage.read': true },
  })
  expect((await open(other, { server_id: server.id })).number).toBeGreaterThan(1000)
})

test('who may look: writers at theirs, support at all, others at none', async () => {
  const customer = await api.signUp()
  const other = await api.signUp()
  const { params, deskParams } = await open(customer)
  expect(await refusal(other.call(routes.getTicket, { params }))).toBe('ticket_not_found')
  expect(await refusal(agent.call(routes.getTicket, { params }))).toBe('ticket_not_found') // theirs is the desk
  expect(await refusal(customer.call(routes.getDeskTicket, { params: deskParams }))).toBe('insufficient_capabilities')
  expect(await refusal(customer.call(routes.listDeskTickets, {}))).toBe('insufficient_capabilities')
})

test.runIf(isLong)('the desk: assignment, filters, the clock, moves that cannot be made', async () => {
  const customer = await api.signUp()
  const { deskParams, number, params } = await open(customer, { topic: 'sponsoring' })
  const change = (body: object) => agent.call(routes.changeTicket, { params: deskParams, body })
  expect(await refusal(change({ assignee_id: customer.user.id }))).toBe('user_not_found')
  expect(await change({ assignee_id: agent.user.id })).toMatchObject({
    status: 'OPEN',
    assignee: { id: agent.user.id },
  })
  const find = (more: object) =>
    agent.call(routes.listDeskTickets, { query: { q: `#${number}`, ...more } }).then(({ count }) => count)
  expect(await find({ assignee: 'me', topic: 'sponsoring' })).toBe(1)
  expect([
    await find({ assignee: 'nobody' }),
    await find({ topic: 'backup' }),
    await find({ clock: 'overdue' }),
  ]).toEqual([0, 0, 0])
  await query(`update support_tickets set waiting_since = now() - interval '22 hours' where id = $1`, [params.id])
  expect(await find({ clock: 'soon' })).toBe(1)
  await query(`update support_tickets set waiting_since = now() - interval '25 hours' where id = $1`, [params.id])
  expect(await find({ clock: 'overdue' })).toBe(1)
  expect((await agent.call(routes.listDeskTickets, {})).overdue).toBeGreaterThan(0)
  // Writing more does not begin the wait anew.
  await customer.call(routes.writeTicketMessage, { params, body: { message: 'Anybody?' } })
  expect(await find({ clock: 'overdue' })).toBe(1)
  expect(await refusal(change({ action: 'reopen' }))).toBe('ticket_cannot_do_that')
  expect(await change({ action: 'solve' })).toMatchObject({ status: 'SOLVED', waiting_since: null })
  const solved = await waitForMail(api.dataDir, customer.user.email, /^Re:/)
  expect(solved.text).toContain('We marked your ticket as solved')
  // A mail of its own, whose answer finds the ticket all the same.
  expect(solved.messageId).not.toContain('<ticket.')
  const thanks = mail(customer.user.email, 'Thank you!', [`References: ${solved.references} ${solved.messageId}`])
  expect((await mailIn(thanks)).body).toMatchObject({ outcome: 'added', number })
  expect(await change({ action: 'solve' })).toMatchObject({ status: 'SOLVED' })
  expect(await change({ action: 'reopen' })).toMatchObject({ status: 'OPEN' })
  expect(await change({ action: 'close' })).toMatchObject({ status: 'CLOSED' })
  for (const action of ['take', 'solve', 'reopen', 'close'])
    expect(await refusal(change({ action }))).toBe('ticket_cannot_do_that')
  expect(await find({})).toBe(0)
  expect(await find({ state: 'closed' })).toBe(1)
})

test('macros', async () => {
  const body = { name: 'Restart', texts: { en: 'Hi {name}', pl: '', de: '' }, status: 'PENDING' } as const
  const made = await agent.call(routes.createMacro, { body })
  expect(await refusal(agent.call(routes.createMacro, { body: { ...body, name: 'RESTART' } }))).toBe(
    'resource_already_exists',
  )
  expect(await refusal(agent.call(routes.createMacro, { body: { ...body, texts: { en: ' ', pl: '', de: '' } } }))).toBe(
    'invalid_request',
  )
  const params = { id: made.id }
  await agent.call(routes.changeMacro, { params, body: { ...body, status: 'SOLVED' } })
  expect(await agent.call(routes.listMacros, {})).toEqual([{ ...made, status: 'SOLVED' }])
  await agent.call(routes.deleteMacro, { params })
  expect(await refusal(agent.call(routes.deleteMacro, { params }))).toBe('resource_not_found')
})

test('changes are told as they happen: to its writer and to support, to nobody else', async () => {
  const customer = await api.signUp()
  const other = await api.signUp()
  const { id, deskParams } = await open(customer)
  const heard = async (caller: Caller) => {
    const ending = new AbortController()
    const { body } = await fetch(`${api.origin}/api/v1/support/stream`, {
      headers: { cookie: caller.cookie() },
      signal: ending.signal,
    })
    let text = ''
    void (async () => {
      for await (const part of body ?? []) text += Buffer.from(part).toString()
    })().catch(() => undefined)
    return { text: () => text, end: () => ending.abort() }
  }
  const streams = await Promise.all([customer, agent, other].map(heard))
  await agent.call(routes.noteOnTicket, { params: deskParams, body: { message: 'hm' } })
  const [own, ofAgent, ofOther] = streams
  for (const deadline = Date.now() + 5000; Date.now() < deadline; await delay(20))
    if (own?.text().includes(id) && ofAgent?.text().includes(id)) break
  expect([own?.text(), ofAgent?.text()]).toEqual([expect.stringContaining(id), expect.stringContaining(id)])
  expect(ofOther?.text()).not.toContain(id)
  for (const { end } of streams) end()
})
