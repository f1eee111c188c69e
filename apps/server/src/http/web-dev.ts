/** Pages straight from their sources, reloading as they change; for development only. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { WebBuild } from './web-build.ts'

export async function serveFromSources(app: FastifyInstance, root: string): Promise<() => Promise<WebBuild>> {
  const { createServer } = await import('vite')
  const vite = await createServer({
    root,
    // A port of its own: on the application's, its sockets would be taken for consoles.
    server: { middlewareMode: true, hmr: { port: await freePort() } },
    appType: 'custom',
  })
  app.addHook('onClose', () => vite.close())
  app.addHook('onRequest', (request, reply, done) => {
    if (/^\/(api|internal|artifacts)\//.test(request.url)) return done()
    const middlewares = vite.middlewares as (
      request: IncomingMessage,
      response: ServerResponse,
      next: (error?: unknown) => void,
    ) => void
    middlewares(request.raw, reply.raw, (error) => done(error as Error | undefined))
  })
  return async () => (await vite.ssrLoadModule('virtual:react-router/server-build')) as WebBuild
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createNetServer().listen(0, () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
