/** An end that waits for what is being answered, and for nobody who says nothing. */
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long answers under way may take once the end has begun. */
const graceMilliseconds = 5_000

/** Browsers open connections before they have anything to ask; Node would wait a minute for each. */
export function endConnectionsOnClose(app: FastifyInstance): void {
  const silent = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.server.on('upgrade', ({ socket }) => silent.delete(socket))
  app.addHook('preClose', (done) => {
    for (const socket of silent) socket.destroy()
    setTimeout(() => app.server.closeAllConnections(), graceMilliseconds).unref()
    done()
  })
}
