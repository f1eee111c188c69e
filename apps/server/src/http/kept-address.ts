import type { FastifyInstance } from 'fastify'

/**
 * Keeps the client's address as it was when the request arrived. Node forgets it once the connection is gone, so clients
 * that hang up early would escape limits and show up as errors of ours in the log. Comes before any hook that waits.
 */
export function keepAddress(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const ip = request.ip as string | undefined
    if (ip === undefined) {
      // The connection was gone before we could look: there is nobody to answer.
      reply.hijack()
      request.raw.destroy()
      return
    }
    Object.defineProperty(request, 'ip', { value: ip })
    done()
  })
}
