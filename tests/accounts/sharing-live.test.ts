/**
 * What a guest of a shared server has open when their rights change: sockets and event streams, on two API processes
 * over one database, of which only the other one hears the change.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { CapabilityName } from '@wakestone/contract/capability-names'
import * as servers from '@wakestone/contract/servers/servers-routes'
import * as sharing from '@wakestone/contract/accounts/sharing-routes'
import * as users from '@wakestone/contract/accounts/users-routes'
import { type ConsoleServerFrame, consoleServerFrame } from '@wakestone/contract/servers/stream'
import { closeContext, createContext } from '../../apps/server/src/context.ts'
import { buildApp } from '../../apps/server/src/http/app.ts'
import { createMetrics } from '../../apps/server/src/http/metrics.ts'
import { type Caller, startTestApi, type TestApi } from '../support/api.ts'
import { order, topUp } from '../support/servers.ts'

let api: TestApi
/** Where the second API listens. */
let elsewhere: string
let owner: Caller
let serverId: string
const ends: (() => Promise<unknown> | void)[] = []

beforeAll(async () => {
  api = await startTestApi({ LIMIT_INVITATIONS: '0' })
  const { settings, secrets, logger, databaseUrl } = api.context
  const context = await createContext({ settings, secrets, logger, databaseUrl, role: 'api' })
  const { app } = await buildApp(context, createMetrics())
  elsewhere = await app.listen({ port: 0, host: '127.0.0.1' })
  ends.push(
    () => app.server.closeAllConnections(),
    () => app.close(),
    () => closeContext(context),
  )
  owner = await api.signUp()
  const walletId = await topUp(api.context, owner, 5000)
  serverId = (await owner.call(servers.createServer, { body: order(walletId, '1.21.4') })).id
})
const opened: (() => void)[] = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})
afterAll(async () => {
  for (const end of ends) await end()
  // The client of an aborted stream connects anew and then says nothing: a closing server would wait for it.
  api.api.app.server.closeAllConnections()
  await api.close()
})

type Names = Extract<CapabilityName, `server.${string}`>[]
async function guestWith(capabilities: Names): Promise<Caller> {
  const guest = await api.signUp()
  const params = { id: serverId }
  const { id } = await owner.call(sharing.inviteToServer, { params, body: { to: guest.user.username, capabilities } })
  await guest.call(sharing.acceptInvitation, { params: { id: guest.user.id, invitationId: id } })
  return guest
}

async function until<T>(find: () => T | undefined): Promise<T> {
  for (const deadline = Date.now() + 20_000; ; await delay(5)) {
    const found = find()
    if (found !== undefined) return found
    if (Date.now() > deadline) throw new Error('not in time')
  }
}
const statusIn = (frames: ConsoleServerFrame[]) => until(() => frames.find(({ type }) => type === 'status'))
const accessIn = (frames: ConsoleServerFrame[]) =>
  frames.flatMap((frame) => (frame.type === 'access' ? [frame.capabilities] : []))

function openSocket({ cookie }: Pick<Caller, 'cookie'>, origin: string) {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/v1/servers/${serverId}/console`, {
    headers: { cookie: cookie(), origin },
  })
  const frames: ConsoleServerFrame[] = []
  socket.addEventListener('message', ({ data }) => frames.push(consoleServerFrame.parse(JSON.parse(String(data)))))
  const closed = new Promise<{ code: number; at: number }>((resolve) =>
    socket.addEventListener('close', ({ code }) => resolve({ code, at: performance.now() })),
  )
  opened.push(() => socket.close())
  const type = async (command: string) => {
    const id = crypto.randomUUID()
    socket.send(JSON.stringify({ type: 'command', id, command }))
    const isAnswer = (frame: ConsoleServerFrame) => frame.type === 'command_result' && frame.id === id
    const answer = await until(() => frames.find(isAnswer))
    return answer.type === 'command_result' ? answer.error : undefined
  }
  return { frames, closed, type }
}

async function openStream({ cookie }: Pick<Caller, 'cookie'>, origin: string, headers: Record<string, string> = {}) {
  const abort = new AbortController()
  opened.push(() => abort.abort())
  const response = await fetch(`${origin}/api/v1/servers/${serverId}/stream`, {
    headers: { cookie: cookie(), ...headers },
    signal: abort.signal,
  })
  const frames: ConsoleServerFrame[] = []
  let end: { error: string } | undefined
  async function read(): Promise<{ error: string | undefined; at: number }> {
    let rest = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const events = (rest + chunk).split('\n\n')
      rest = events.pop()!
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1]
        if (data === undefined) continue
        if (event.startsWith('event: end')) end = JSON.parse(data) as { error: string }
        else frames.push(consoleServerFrame.parse(JSON.parse(data)))
      }
    }
    return { error: end?.error, at: performance.now() }
  }
  if (response.status === 200) {
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    return { status: 200, frames, closed: read().catch(() => ({ error: 'cut by the test', at: 0 })) }
  }
  const { error } = (await response.json()) as { error: string }
  return { status: response.status, frames, closed: Promise.resolve({ error, at: 0 }) }
}

/** One of each kind at each process, all of them live. */
async function openAll(guest: Caller) {
  const sockets = [openSocket(guest, api.origin), openSocket(guest, elsewhere)]
  const streams = await Promise.all([openStream(guest, api.origin), openStream(guest, elsewhere)])
  for (const { frames } of [...sockets, ...streams]) await statusIn(frames)
  return { sockets, streams }
}

/** All of them end for this reason, within the second that is promised. @param since before it was done */
async function expectEnd(
  { sockets, streams }: Awaited<ReturnType<typeof openAll>>,
  since: number,
  code: number,
  error: string,
) {
  const [closed, ended] = await Promise.all([
    Promise.all(sockets.map((one) => one.closed)),
    Promise.all(streams.map((one) => one.closed)),
  ])
  expect(closed.map((one) => one.code)).toEqual([code, code])
  expect(ended.map((one) => one.error)).toEqual([error, error])
  const longest = Math.max(...[...closed, ...ended].map(({ at }) => at - since))
  console.log(`closed after ${longest.toFixed(0)} ms`)
  expect(longest).toBeLessThan(1000)
}

test('revoking closes everything of that guest, of nobody else, and for good', async () => {
  const [guest, other] = [await guestWith(['server.manage']), await guestWith([])]
  const all = await openAll(guest)
  const others = await openAll(other)
  const since = performance.now()
  await owner.call(sharing.revokeServerAccess, { params: { id: serverId, userId: guest.user.id } })
  await expectEnd(all, since, 4403, 'insufficient_capabilities')
  for (const origin of [api.origin, elsewhere]) {
    expect((await openSocket(guest, origin).closed).code).toBe(4404)
    expect(await (await openStream(guest, origin)).closed).toMatchObject({ error: 'server_id_not_found' })
  }
  expect(await others.sockets[1]?.type('list')).toBe('insufficient_capabilities') // still there, still only watching
})

test('leaving, and signing out everywhere, close it too', async () => {
  const guest = await guestWith([])
  const left = await openAll(guest)
  let since = performance.now()
  await guest.call(sharing.leaveServer, { params: { id: serverId } })
  await expectEnd(left, since, 4403, 'insufficient_capabilities')

  const again = await guestWith(['server.manage.console'])
  const all = await openAll(again)
  since = performance.now()
  await api.context.db
    .updateTable('sessions')
    .set({ ended_at: new Date() })
    .where('user_id', '=', again.user.id)
    .execute()
  await expectEnd(all, since, 4401, 'unauthorized')
  expect((await openSocket(again, elsewhere).closed).code).toBe(4401)
  expect((await openStream(again, elsewhere)).status).toBe(401)
  await again.call(users.loginLocal, { body: { login: again.user.username, password: again.password } })
  await statusIn(openSocket(again, elsewhere).frames) // the right itself was kept
})

test('a right that is reduced is gone at once, and what is kept stays open', async () => {
  const guest = await guestWith(['server.manage.console', 'server.manage.power'])
  const { sockets, streams } = await openAll(guest)
  const [socket] = sockets
  expect(await socket?.type('list')).toBe('server_is_not_running') // allowed; nothing runs here
  const since = performance.now()
  const params = { id: serverId, userId: guest.user.id }
  await owner.call(sharing.changeServerAccess, { params, body: { capabilities: [] } })
  expect(await socket?.type('list')).toBe('insufficient_capabilities')
  const reduced = { 'server.manage.read': true }
  for (const { frames } of [...sockets, ...streams]) {
    await until(() => (accessIn(frames).length > 1 ? true : undefined))
    expect(accessIn(frames).at(-1)).toEqual(reduced)
  }
  expect(performance.now() - since).toBeLessThan(1000)
  const closed = await Promise.race([...sockets.map((one) => one.closed), delay(100, 'open')])
  expect(closed).toBe('open')
})

test('the event stream is closed to strangers and to other sites', async () => {
  const stranger = await api.signUp()
  expect((await openStream({ cookie: () => '' }, api.origin)).status).toBe(401)
  expect((await openStream(stranger, api.origin)).status).toBe(404)
  expect((await openStream(owner, api.origin, { origin: 'https://evil.example' })).status).toBe(403)
  const many = await Promise.all(Array.from({ length: 30 }, () => openStream(owner, elsewhere)))
  const statuses = many.map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(24)
  expect(statuses.filter((status) => status === 429)).toHaveLength(6)
})
