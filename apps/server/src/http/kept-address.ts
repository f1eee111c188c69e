import type { FastifyInstance } from 'fastify'

/**
 * An address stays what it was when its request came. Of a connection that is gone Node tells none, so whoever hung up
 * early would be counted nowhere, and be a fault of ours in the log. Before all hooks that wait.
 */
export function keepAddress(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const ip = request.ip as string | undefined
    if (ip === undefined) {
      // Gone before anybody could ask: nobody is there to be answered.
      reply.hijack()
      request.raw.destroy()
      return
    }
    Object.defineProperty(request, 'ip', { value: ip })
    done()
  })
}
