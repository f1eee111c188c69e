/** An end that waits for what is being answered, and for nobody who says nothing. */
import type { Server } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long answers under way may take once the end has begun. */
const graceMilliseconds = 5_000

const leaving = new WeakSet<FastifyInstance>()
/** Whether it is about to end, though it still answers. */
export const isLeaving = (app: FastifyInstance): boolean => leaving.has(app)

/**
 * Goes on as before for so long while `/readyz` says that nothing is to be sent here any more, and every answer has its
 * client connect anew: whoever shares requests out has noticed before any is refused.
 */
export async function leave(app: FastifyInstance, seconds: number): Promise<void> {
  if (seconds <= 0) return
  leaving.add(app)
  await delay(seconds * 1000)
}

/**
 * Browsers open connections before they have anything to ask; Node would wait a minute for each.
 * @param beside a server that is not the application's own, and ends with it
 */
export function endConnectionsOnClose(app: FastifyInstance, beside?: TlsServer): void {
  const server: Server | TlsServer = beside ?? app.server
  const silent = new Set<Socket>()
  server.on(beside ? 'secureConnection' : 'connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.on('request', ({ socket }) => silent.delete(socket))
  server.on('upgrade', ({ socket }) => silent.delete(socket))
  if (beside === undefined)
    app.addHook('onSend', async (_request, reply) => {
      if (leaving.has(app)) reply.header('connection', 'close')
    })
  app.addHook('preClose', (done) => {
    beside?.close()
    for (const socket of silent) socket.destroy()
    setTimeout(() => server.closeAllConnections(), graceMilliseconds).unref()
    done()
  })
}
