/** Server-sent events for a signed-in user, for as long as they are signed in. */
import type { FastifyReply } from 'fastify'
import { DomainError } from '@wakestone/contract/errors'
import type { Api } from './implement.ts'
import type { Principal } from './principal.ts'

const streamsPerUser = 24
const heartbeatMilliseconds = 20_000

export type UserStreams = {
  /**
   * Takes the answer over. It ends with the session, and when rights change: pages open it again with what holds then.
   * @param begin what tells by `send`; returns what ends that
   * @throws DomainError `too_many_requests`.
   */
  open(
    call: { user: Principal; reply: FastifyReply },
    begin: (send: (event: string, data: unknown) => void) => () => void,
  ): void
}

export function createUserStreams(api: Api): UserStreams {
  const open = new Map<string, number>()
  const streams = new Set<FastifyReply['raw']>()
  api.app.addHook('preClose', () => {
    for (const stream of streams) stream.end() // a server waits for its open answers
  })
  return {
    open({ user, reply }, begin) {
      const { userId } = user
      if ((open.get(userId) ?? 0) >= streamsPerUser) throw new DomainError('too_many_requests')
      open.set(userId, (open.get(userId) ?? 0) + 1)
      reply.hijack()
      const { raw } = reply
      streams.add(raw)
      raw.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        'x-content-type-options': 'nosniff',
      })
      raw.write('retry: 2000\n\n')
      const check = () =>
        void api.principals.findAgain(user).then(
          (present) => present === undefined && raw.end(),
          () => undefined,
        )
      const ends = [
        begin((event, data) => {
          if (!raw.destroyed && !raw.writableEnded) raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
        }),
        api.principals.onChange((changed) => changed === userId && raw.end()),
      ]
      const beat = setInterval(() => {
        raw.write(':\n\n')
        check()
      }, heartbeatMilliseconds)
      raw.on('error', () => raw.destroy())
      raw.on('close', () => {
        clearInterval(beat)
        for (const end of ends) end()
        streams.delete(raw)
        if (open.get(userId) === 1) open.delete(userId)
        else open.set(userId, (open.get(userId) ?? 1) - 1)
      })
      check() // it may have ended since it was looked up
    },
  }
}
