/**
 * `GET /api/v1/servers/:id/console`: console, statistics and status of a server, live, and commands to it.
 * Whoever loses the session or the right loses the socket at once.
 */
import type { WebSocket } from 'ws'
import { canUseConsole } from '@wakestone/contract/capabilities'
import { DomainError, type ErrorCode } from '@wakestone/contract/errors'
import { type ConsoleServerFrame, consoleClientFrame } from '@wakestone/contract/servers/stream'
import { serverConsole } from '@wakestone/contract/transport'
import { commandRequestSchema } from '@wakestone/protocol/supervisor'
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import { SupervisorError } from '#src/adapters/supervisor/errors.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordEvent } from '#src/features/ground/events/service.ts'
import { checkServerAccess } from '#src/http/access.ts'
import type { Api } from '#src/http/implement.ts'
import type { Principal } from '#src/http/principal.ts'
import { type Admitted, implementSocket } from '#src/http/transports.ts'
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
const commandsAtOnce = 20
const commandsPerSecond = 10

const endCodes: Record<ViewEnd, number> = {
  session: closeCodes.sessionEnded,
  right: closeCodes.rightLost,
  missing: closeCodes.noServer,
  too_many: closeCodes.tooMany,
}

export function registerConsoleSocket(api: Api, fleet: Fleet, views: LiveViews): void {
  implementSocket(api, serverConsole, (socket, admitted, request) => {
    socket.on('error', () => socket.terminate())
    void open(api, fleet, views, { socket, admitted }).catch((error: unknown) => {
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

async function open(api: Api, fleet: Fleet, views: LiveViews, { socket, admitted }: Visit) {
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
  const take = takeCommands(api, fleet, socket, user, serverId)
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
function takeCommands(
  api: Api,
  fleet: Fleet,
  socket: WebSocket,
  user: Principal,
  serverId: string,
): (data: Buffer) => void {
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
    const present = await api.principals.findAgain(user)
    if (present === undefined) return 'unauthorized'
    const server = await checkServerAccess(api.context, present, serverId, 'server.manage.read')
    if (!canUseConsole(present.capabilities, server.capabilities)) return 'insufficient_capabilities'
    const supervisor = await fleet.find(serverId)
    if (supervisor === undefined) return 'server_is_not_running'
    if (present.actor !== undefined) await recordCommand(api, serverId, present, command)
    await supervisor.command(command)
    return null
  }

  const explain = (error: unknown) => {
    if (error instanceof DomainError) return error.code
    if (error instanceof SupervisorError && error.status === 409) return 'server_is_not_running'
    return 'service_unavailable'
  }

  return (data) => {
    const frame = parseFrame(data)
    if (frame === undefined) return socket.close(closeCodes.badFrame)
    const answer = (error: string | null) => send(socket, { type: 'command_result', id: frame.id, error })
    if (isTooFast()) return answer('too_many_requests')
    queue = queue.then(() => run(frame.command).catch(explain)).then(answer)
  }
}

/** What an administrator types while they see the panel as its user, the user can read. */
async function recordCommand({ context }: Api, serverId: string, user: Principal, command: string): Promise<void> {
  const { userId: user_id, username } = user.actor!
  await inTransaction(context.db, (trx) =>
    recordEvent(trx, {
      level: 20,
      resourceType: 'server',
      resourceId: serverId,
      action: 'SERVER_CONSOLE_COMMAND',
      success: true,
      data: { executor: user.userId, command, actor: { user_id, username } },
    }),
  )
}

function parseFrame(data: Buffer) {
  try {
    return consoleClientFrame.safeParse(JSON.parse(data.toString())).data
  } catch {
    return undefined
  }
}
