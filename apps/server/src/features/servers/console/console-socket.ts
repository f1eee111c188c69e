/**
 * `GET /api/v1/servers/:id/console`: console, statistics and status of a server, live, and commands to it.
 * Whoever loses the session or the right loses the socket at once.
 */
import type { WebSocket } from 'ws'
import { DomainError, type ErrorCode } from '@wakestone/contract/errors'
import { type ConsoleServerFrame, consoleClientFrame } from '@wakestone/contract/servers/stream'
import { serverConsole } from '@wakestone/contract/transport'
import { commandRequestSchema } from '@wakestone/protocol/supervisor'
import type { Api } from '#src/http/implement.ts'
import type { Principal } from '#src/http/principal.ts'
import { type Admitted, implementSocket } from '#src/http/transports.ts'
import { commandsAtOnce, commandsPerSecond, runCommand } from './commands.ts'
import { frameText, type LiveViews, type ViewEnd } from './live-view.ts'

const closeCodes = {
  badFrame: 1008,
  fault: 1011,
  tooMany: 1013,
  sessionEnded: 4401,
  rightLost: 4403,
  noServer: 4404,
} as const
/** A browser that leaves so much unread is cut; it comes back with the number of its last line. */
const unreadBytes = 4 * 1024 * 1024
const heartbeatMilliseconds = 20_000

const endCodes: Record<ViewEnd, number> = {
  session: closeCodes.sessionEnded,
  right: closeCodes.rightLost,
  missing: closeCodes.noServer,
  too_many: closeCodes.tooMany,
}

export function registerConsoleSocket(api: Api, views: LiveViews): void {
  implementSocket(api, serverConsole, (socket, admitted, request) => {
    socket.on('error', () => socket.terminate())
    void open(api, views, { socket, admitted }).catch((error: unknown) => {
      if (error instanceof DomainError) return socket.close(refusals[error.code] ?? closeCodes.fault)
      request.log.error({ error }, 'console socket failed')
      socket.close(closeCodes.fault)
    })
  })
}

const refusals: Partial<Record<ErrorCode, number>> = {
  unauthorized: closeCodes.sessionEnded,
  access_denied: closeCodes.rightLost,
  insufficient_capabilities: closeCodes.rightLost,
  insufficient_permissions: closeCodes.rightLost,
  server_id_not_found: closeCodes.noServer,
  invalid_request: closeCodes.noServer,
  too_many_requests: closeCodes.tooMany,
}

/** The number of the last line a reader has; 0 for what is none. */
export const readLineNumber = (given: unknown) =>
  typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : 0

type Visit = { socket: WebSocket; admitted: Promise<Admitted<typeof serverConsole>> }

async function open(api: Api, views: LiveViews, { socket, admitted }: Visit) {
  const early: Buffer[] = [] // what the browser sends while its right is looked up
  const keep = (data: Buffer) =>
    void (early.length < commandsAtOnce ? early.push(data) : socket.close(closeCodes.tooMany))
  socket.on('message', keep)

  const { user, params, query } = await admitted
  const serverId = params.id
  const after = readLineNumber(query.after)
  const end = await views.open({
    user,
    serverId,
    after,
    onFrame: (frame) => send(socket, frame),
    onEnd: (because) => socket.close(endCodes[because]),
  })
  if (end === undefined) return
  if (socket.readyState !== socket.OPEN) return end()
  const ends = [end, beat(socket)]
  socket.on('close', () => {
    for (const one of ends) one()
  })
  socket.off('message', keep)
  const take = takeCommands(api, socket, user, serverId)
  for (const data of early) take(data)
  socket.on('message', take)
}

function send(socket: WebSocket, frame: ConsoleServerFrame): void {
  if (socket.readyState !== socket.OPEN) return
  socket.send(frameText(frame))
  if (socket.bufferedAmount > unreadBytes) socket.terminate()
}

/** Ends sockets whose other side has silently gone. */
function beat(socket: WebSocket): () => void {
  let isAlive = true
  socket.on('pong', () => (isAlive = true))
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, heartbeatMilliseconds)
  return () => clearInterval(timer)
}

/** Passes typed lines on, one after another, as many as a person could mean. */
function takeCommands(api: Api, socket: WebSocket, user: Principal, serverId: string): (data: Buffer) => void {
  let allowance = commandsAtOnce
  let refilled = Date.now()
  let queue: Promise<void> = Promise.resolve()

  function isTooFast(): boolean {
    const now = Date.now()
    allowance = Math.min(commandsAtOnce, allowance + ((now - refilled) / 1000) * commandsPerSecond)
    refilled = now
    if (allowance < 1) return true
    allowance--
    return false
  }

  async function run(command: string): Promise<string | null> {
    if (!commandRequestSchema.safeParse({ command }).success) return 'invalid_request'
    await runCommand(api, user, serverId, command)
    return null
  }

  const explain = (error: unknown) => (error instanceof DomainError ? error.code : 'service_unavailable')

  return (data) => {
    const frame = parseFrame(data)
    if (frame === undefined) return socket.close(closeCodes.badFrame)
    const answer = (error: string | null) => send(socket, { type: 'command_result', id: frame.id, error })
    if (isTooFast()) return answer('too_many_requests')
    queue = queue.then(() => run(frame.command).catch(explain)).then(answer)
  }
}

function parseFrame(data: Buffer) {
  try {
    return consoleClientFrame.safeParse(JSON.parse(data.toString())).data
  } catch {
    return undefined
  }
}
