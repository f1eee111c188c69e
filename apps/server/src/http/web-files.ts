/** Serves the files of the web build, each with the time a browser may keep it. */
import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const forEver = 'public, max-age=31536000, immutable'

/** @param textVersions by language: `/static/locales/{language}.json?v={version}` never changes. */
export async function serveFiles(
  app: FastifyInstance,
  root: string,
  textVersions: Readonly<Record<string, string>>,
): Promise<void> {
  await app.register(async (files) => {
    files.addHook('onSend', async (request, reply) => {
      const { pathname, searchParams } = new URL(request.url, 'http://localhost')
      const language = /^\/static\/locales\/(\w+)\.json$/.exec(pathname)?.[1]
      if (language === undefined) return
      const isCurrent = searchParams.get('v') === textVersions[language]
      void reply.header('cache-control', isCurrent ? forEver : 'public, no-cache')
    })
    await files.register(staticFiles, {
      root,
      wildcard: false,
      index: false,
      preCompressed: true,
      setHeaders: (reply, path) =>
        void reply.header('cache-control', path.includes('/assets/') ? forEver : 'public, max-age=3600'),
    })
  })
}
