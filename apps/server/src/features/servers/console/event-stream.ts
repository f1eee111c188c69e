/**
 * `GET /api/v1/servers/:id/stream`: what the console's socket tells, as server-sent events (the frames of
 * `contract/stream.ts`, named by their type). For programs that only watch; `Last-Event-ID` or `after` resumes after a
 * console line. It ends with an event `end` when session or right do.
 */
import type { ServerResponse } from 'node:http'
import { DomainError, type ErrorCode } from '@wakestone/contract/errors'
import type { ConsoleServerFrame } from '@wakestone/contract/servers/stream'
import { serverStream } from '@wakestone/contract/transport'
import type { Api } from '#src/http/implement.ts'
import { implementTransport } from '#src/http/transports.ts'
import { readLineNumber } from './console-socket.ts'
import { frameText, type LiveViews, type ViewEnd } from './live-view.ts'

const pingMilliseconds = 20_000
/** A reader that leaves so much unread is cut; it comes back with the number of its last line. */
const unreadBytes = 4 * 1024 * 1024

const codes: Record<ViewEnd, ErrorCode> = {
  session: 'unauthorized',
  right: 'insufficient_capabilities',
  missing: 'server_id_not_found',
  too_many: 'too_many_requests',
}

export function registerEventStream(api: Api, views: LiveViews): void {
  const answers = new Set<ServerResponse>()
  api.app.addHook('preClose', async () => {
    for (const answer of answers) answer.end()
  })

  implementTransport(api, serverStream, async ({ user, params, query, request, reply }) => {
    const serverId = params.id
    const early: ConsoleServerFrame[] = []
    let refused: ViewEnd | undefined
    let onFrame = (frame: ConsoleServerFrame) => void early.push(frame)
    let onEnd = (because: ViewEnd) => void (refused ??= because)
    const after = readLineNumber(request.headers['last-event-id'] ?? query.after)
    const end = await views.open({
      user,
      serverId,
      after,
      onFrame: (frame) => onFrame(frame),
      onEnd: (because) => onEnd(because),
    })
    if (refused !== undefined) {
      end?.()
      throw new DomainError(codes[refused], { resource: 'server' })
    }

    reply.hijack()
    const answer = reply.raw
    answers.add(answer)
    answer.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no', // a proxy may not hold events back
    })
    const pinging = setInterval(() => answer.write(': still here\n\n'), pingMilliseconds)
    answer.on('error', () => answer.destroy())
    answer.on('close', () => {
      clearInterval(pinging)
      answers.delete(answer)
      end?.()
    })
    onFrame = (frame) => {
      answer.write(describeEvent(frame))
      if (answer.writableLength > unreadBytes) answer.destroy()
    }
    onEnd = (because) => {
      end?.()
      answer.end(`event: end\ndata: ${JSON.stringify({ error: codes[because] })}\n\n`)
    }
    for (const frame of early) onFrame(frame)
  })
}

function describeEvent(frame: ConsoleServerFrame): string {
  const line = frame.type === 'console' ? frame.lines.at(-1) : undefined
  return `${line === undefined ? '' : `id: ${line.seq}\n`}event: ${frame.type}\ndata: ${frameText(frame)}\n\n`
}
