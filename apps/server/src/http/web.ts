/**
 * Hosts the web pages: the files of the build, and React Router's rendering for every other address.
 * The build is loaded by path; the server knows only the contract in `apps/web/app/load-context.ts`.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '@wakestone/contract/errors'
import { mainHosts } from '@wakestone/kit/settings'
import { contentPolicy, isFramedPage } from './content-policy.ts'
import { createEventId, noteError } from './errors.ts'
import type { Api } from './implement.ts'
import { sendLastResort, wantsPage } from './last-resort.ts'
import { isRouteDiscovery, tellRoutes } from './route-discovery.ts'
import { createSharedPages, type SharedPages, type WebHandler } from './shared-pages.ts'
import { siteOf, type WebBuild } from './web-build.ts'
import { serveFiles } from './web-files.ts'
import { chooseLanguage, openStrangersVisit, openVisit, toWebRequest } from './web-visit.ts'

const webFolder = join(import.meta.dirname, '../../../web')

const everyPage = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
}

/** Adds the pages to the application. Without a build it serves the API alone, and says so. */
export async function installWeb(api: Api): Promise<void> {
  const { app, context } = api
  if (context.settings.WEB_DEV) {
    const { serveFromSources } = await import('./web-dev.ts')
    return installPages(api, await serveFromSources(app, webFolder))
  }
  const file = join(webFolder, 'build/server/index.js')
  if (!existsSync(file)) {
    context.logger.warn('the web part is not built: serving the API only')
    return
  }
  // React takes its slow development build otherwise; hence nothing that loads React is imported above.
  process.env['NODE_ENV'] = 'production'
  const build = (await import(pathToFileURL(file).href)) as WebBuild
  await serveFiles(app, join(webFolder, 'build/client'), build.entry.module.textVersions)
  installPages(api, async () => build, createSharedPages(api))
}

/** @param shared answers visits whose pages are kept; in development none are. */
function installPages(api: Api, loadBuild: () => Promise<WebBuild>, shared?: SharedPages): void {
  const mode = api.context.settings.WEB_DEV ? 'development' : 'production'
  void api.app.register(async (pages) => {
    const { createRequestHandler } = await import('react-router')
    // Ranking all addresses takes longer than many a page: once for a build, which in development is often another.
    const handlers = new WeakMap<WebBuild, ReturnType<typeof createRequestHandler>>()
    const handlerOf = (build: WebBuild) => {
      const handler = handlers.get(build) ?? createRequestHandler(build, mode)
      handlers.set(build, handler)
      return handler
    }
    // Brotli at full strength would take longer than it saves; files of the build are compressed beforehand.
    await pages.register(compress, {
      encodings: ['br', 'gzip'],
      // A page is whole when it comes here; handing its parts to other threads takes longer than the work itself.
      syncThreshold: 256 * 1024,
      brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    })
    pages.addHook('onRequest', async (_request, reply) => void reply.headers(everyPage))
    // Forms that work without JavaScript post to pages: React Router reads them itself, up to the limit of all bodies.
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    pages.route({
      method: ['GET', 'POST'],
      url: '/*',
      async handler(request, reply) {
        if (/^\/(api|internal|artifacts)\//.test(request.url)) throw new DomainError('resource_not_found')
        try {
          return await showPage(request, reply)
        } catch (error) {
          if (!wantsPage(request)) throw error
          const { status, body } = noteError(error, request)
          const { language } = chooseLanguage(request, null, mainHosts(api.context.settings))
          return sendLastResort(reply, { status, eventId: body.event_id, language })
        }
      },
    })

    async function showPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
      const build = await loadBuild()
      const handle = handlerOf(build)
      if (isRouteDiscovery(request)) return tellRoutes(api, { request, reply }, handle)
      if (await shared?.(request, reply, { build, handle: handle as WebHandler })) return reply
      const isFramed = isFramedPage(request.url)
      if (isFramed) void reply.removeHeader('x-frame-options')
      // What others frame knows nobody.
      const visit = isFramed ? openStrangersVisit(api, request) : await openVisit(api, request)
      const eventId = createEventId()
      const chosen = chooseLanguage(request, visit.user, mainHosts(api.context.settings))
      const nonce = randomBytes(16).toString('base64')
      const loadContext = build.entry.module.createLoadContext({
        api: visit.client,
        user: visit.user,
        ...chosen,
        nonce,
        eventId,
        site: siteOf(api.context.settings),
        log: (error) =>
          request.log.error({ error, event_id: eventId, url: request.url }, 'a page could not be rendered'),
      })
      const response = await handle(toWebRequest(api, request, reply), loadContext)
      // What React Router says when even its error page failed.
      const hasNoPage = response.status === 500 && response.headers.get('content-type')?.startsWith('text/plain')
      if (hasNoPage && wantsPage(request))
        return sendLastResort(reply, { status: 500, eventId, language: chosen.language })
      return sendResponse(reply, response, {
        cookies: visit.cookiesToSet,
        policy:
          mode === 'production'
            ? contentPolicy([`'nonce-${nonce}'`], api.context.settings, { isWidget: isFramed })
            : undefined,
      })
    }
  })
}

async function sendResponse(
  reply: FastifyReply,
  response: Response,
  { cookies, policy }: { cookies: string[]; policy: string | undefined },
): Promise<FastifyReply> {
  // A page is made for one visitor, and holds a nonce that no other answer may repeat.
  void reply.status(response.status).header('cache-control', 'private, no-cache')
  for (const [name, value] of response.headers) if (name !== 'set-cookie') void reply.header(name, value)
  for (const cookie of [...response.headers.getSetCookie(), ...cookies]) void reply.header('set-cookie', cookie)
  if (policy !== undefined) void reply.header('content-security-policy', policy)
  const body = Buffer.from(await response.arrayBuffer())
  return body.length === 0 ? reply.send() : reply.send(body)
}
