/**
 * Hosts the web pages: the files of the build, and React Router's rendering for every other address.
 * The build is loaded by path; the server knows only the contract in `apps/web/app/load-context.ts`.
 */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerBuild } from 'react-router'
import { type ApiClient, createApiClient } from '@wakestone/contract/client'
import { DomainError } from '@wakestone/contract/errors'
import { acceptedLanguage, languageCookie, languagesOfHost } from '@wakestone/contract/language'
import { refresh, verify } from '@wakestone/contract/accounts/users-routes'
import type { User } from '@wakestone/contract/accounts/user'
import type { Language } from '@wakestone/contract/values'
import { hasDiscord, mainHosts, publicUrl, type Settings } from '@wakestone/kit/settings'
import { contentPolicy } from './content-policy.ts'
import { refreshCookie } from './cookies.ts'
import { createEventId, noteError } from './errors.ts'
import { type Api, findCaller } from './implement.ts'
import { sendLastResort, wantsPage } from './last-resort.ts'
import { serveFiles } from './web-files.ts'

const webFolder = join(import.meta.dirname, '../../../web')

type EntryModule = ServerBuild['entry']['module'] & {
  textVersions: Record<Language, string>
  createLoadContext(value: {
    api: ApiClient
    user: User | null
    language: Language
    languages: readonly Language[]
    nonce: string
    eventId: string
    site: {
      docsUrl: string | undefined
      socialLinks: readonly string[]
      reviewWidget: string | undefined
      partnerMarker: string | undefined
      analyticsScript: string | undefined
      hasDiscord: boolean
      affiliate: { percent: number; months: number }
    }
    log: (error: unknown, request: Request) => void
  }): never
}
export type WebBuild = ServerBuild & { entry: { module: EntryModule } }

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
  installPages(api, async () => build)
}

function installPages(api: Api, loadBuild: () => Promise<WebBuild>): void {
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
      brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    })
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
      const visit = await openVisit(api, request)
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
      const response = await handlerOf(build)(toWebRequest(api, request, reply), loadContext)
      // What React Router says when even its error page failed.
      const hasNoPage = response.status === 500 && response.headers.get('content-type')?.startsWith('text/plain')
      if (hasNoPage && wantsPage(request))
        return sendLastResort(reply, { status: 500, eventId, language: chosen.language })
      return sendResponse(reply, response, {
        cookies: visit.cookiesToSet,
        policy: mode === 'production' ? contentPolicy(nonce, api.context.settings) : undefined,
      })
    }
  })
}

/** What was read here last, the account's language, the browser's; of those that this host speaks. */
function chooseLanguage(request: FastifyRequest, user: User | null, main: readonly string[]) {
  const languages = languagesOfHost(request.hostname, main)
  const known = [request.cookies[languageCookie], user?.language]
  const language =
    languages.find((spoken) => spoken === known[0]) ??
    languages.find((spoken) => spoken === known[1]) ??
    acceptedLanguage(request.headers['accept-language'], languages) ??
    'en'
  return { language, languages }
}

/** One page view: an API client that acts as the visitor, within this process. Renews a session that only has its refresh cookie left. */
async function openVisit(api: Api, request: FastifyRequest) {
  const cookiesToSet: string[] = []
  let cookie = request.headers.cookie ?? ''
  const client = createApiClient(async (path, init) => {
    const answer = await api.app.inject({
      url: path,
      method: init.method as 'GET',
      headers: { ...init.headers, cookie, 'user-agent': request.headers['user-agent'] ?? '' },
      remoteAddress: request.ip,
      ...(init.body === undefined ? {} : { payload: init.body }),
    })
    const set = [answer.headers['set-cookie'] ?? []].flat()
    cookiesToSet.push(...set)
    if (set.length > 0) cookie = withCookies(cookie, set)
    const empty = answer.statusCode === 204 || answer.rawPayload.length === 0
    return new Response(empty ? null : new Uint8Array(answer.rawPayload), {
      status: answer.statusCode,
      headers: { 'x-transaction-id': String(answer.headers['x-transaction-id'] ?? '') },
    })
  })
  let user: User | null = null
  if ((await findCaller(api, request)) !== undefined) {
    user = await client(verify, {}).catch(() => null)
  } else if (request.cookies[refreshCookie] !== undefined) {
    user = await client(refresh, {}).catch(() => null)
  }
  return { client, user, cookiesToSet }
}

function withCookies(header: string, set: string[]): string {
  const jar = new Map(
    header
      .split(/;\s*/)
      .filter(Boolean)
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair]),
  )
  for (const line of set) {
    const pair = line.split(';')[0] ?? ''
    jar.set(pair.slice(0, pair.indexOf('=')), pair)
  }
  return [...jar.values()].join('; ')
}

function toWebRequest(api: Api, request: FastifyRequest, reply: FastifyReply): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !name.startsWith(':')) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const left = new AbortController()
  reply.raw.on('close', () => void (reply.raw.writableFinished || left.abort()))
  const body = request.body as Buffer<ArrayBuffer> | null | undefined
  // Joined as text: resolving `//host/…` against our address would make a page of another host.
  const path = request.url.startsWith('/') ? request.url : '/'
  return new Request(publicUrl(api.context.settings) + path, {
    method: request.method,
    headers,
    signal: left.signal,
    ...(body == null ? {} : { body }),
  })
}

function sendResponse(
  reply: FastifyReply,
  response: Response,
  { cookies, policy }: { cookies: string[]; policy: string | undefined },
): FastifyReply {
  // A page is made for one visitor, and holds a nonce that no other answer may repeat.
  void reply.status(response.status).header('cache-control', 'private, no-cache')
  for (const [name, value] of response.headers) if (name !== 'set-cookie') void reply.header(name, value)
  for (const cookie of [...response.headers.getSetCookie(), ...cookies]) void reply.header('set-cookie', cookie)
  void reply.headers({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    ...(policy === undefined ? {} : { 'content-security-policy': policy }),
  })
  return response.body === null ? reply.send() : reply.send(Readable.fromWeb(response.body as never))
}

/** What the operator's settings say to the pages. */
function siteOf(settings: Settings) {
  return {
    docsUrl: settings.DOCS_URL,
    socialLinks: settings.SOCIAL_LINKS ?? [],
    reviewWidget: settings.REVIEW_WIDGET_URL,
    partnerMarker: settings.PARTNER_MARKER,
    analyticsScript: settings.ANALYTICS_SCRIPT_URL,
    hasDiscord: hasDiscord(settings),
    affiliate: { percent: settings.AFFILIATE_PERCENT, months: settings.AFFILIATE_MONTHS },
  }
}
