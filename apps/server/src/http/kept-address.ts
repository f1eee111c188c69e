import type { FastifyInstance } from 'fastify'

/**
 * An address stays what it was when its request came. Of a connection that is gone Node tells none, so whoever hung up
 * early would be counted nowhere, and be a fault of ours in the log. Before all hooks that wait.
 */
export function keepAddress(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    Object.defineProperty(request, 'ip', { value: request.ip })
    done()
  })
}
