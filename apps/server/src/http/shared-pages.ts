/**
 * Public pages for visitors without a session: rendered once for all who would be shown the same, kept, and sent
 * compressed, or not at all to those who have them.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { publicUrl } from '@wakestone/kit/settings'
import { acceptedEncoding } from './accepted-encoding.ts'
import { contentPolicy } from './content-policy.ts'
import { createEventId } from './errors.ts'
import type { Api } from './implement.ts'
import { nameScripts } from './inline-scripts.ts'
import { isKnown } from './kept-answer.ts'
import { createKeptPages, type KeptPage, type RenderedPage } from './kept-pages.ts'
import { findSharedVisit, openSharedVisit, type SharedVisit } from './shared-visit.ts'
import { siteOf, type WebBuild } from './web-build.ts'

/** Some hundreds of pages. */
const maxBytes = 64 * 1024 * 1024

export type WebHandler = (request: Request, loadContext: never) => Promise<Response>
/** Answers a visit, if its page is one that is kept; otherwise it leaves the reply as it is. */
export type SharedPages = (
  request: FastifyRequest,
  reply: FastifyReply,
  web: { build: WebBuild; handle: WebHandler },
) => Promise<boolean>

export function createSharedPages(api: Api): SharedPages {
  const kept = createKeptPages({ isTold: () => api.catalogue.isTold(), maxBytes })
  api.catalogue.onChange(() => kept.clear())
  return async (request, reply, web) => {
    const visit = await findSharedVisit(api, request, web.build)
    if (visit === undefined) return false
    const page = await kept.find(visit.key, () => render(api, visit, web))
    if (page === undefined) return false
    await send(request, reply, page)
    return true
  }
}

/** @returns undefined for what is no page for everybody: a redirect, an error, a page with a part missing. */
async function render(
  api: Api,
  visit: SharedVisit,
  { build, handle }: { build: WebBuild; handle: WebHandler },
): Promise<RenderedPage | undefined> {
  const { settings } = api.context
  const nonce = randomBytes(16).toString('base64')
  const { client, isWhole, documentCheck } = openSharedVisit(api, visit)
  let hasFailed = false
  const loadContext = build.entry.module.createLoadContext({
    api: client,
    user: null,
    language: visit.language,
    languages: visit.languages,
    nonce,
    eventId: createEventId(),
    site: siteOf(settings),
    // The page is rendered once more, for its visitor alone, which says what is wrong.
    log: () => (hasFailed = true),
  })
  const asked = new Request(publicUrl(settings) + visit.address, { headers: { cookie: visit.cookie } })
  const response = await handle(asked, loadContext)
  const text = await response.text()
  const named = nameScripts(text, nonce)
  const isForAll = response.status === 200 && response.headers.getSetCookie().length === 0
  if (!isForAll || hasFailed || !isWhole() || named === undefined) return undefined
  const isCurrent = documentCheck()
  return {
    headers: {
      ...Object.fromEntries(response.headers),
      vary: 'Cookie, Accept-Language, Accept-Encoding',
      'content-security-policy': contentPolicy(named.sources, settings),
    },
    body: Buffer.from(named.html),
    ...(isCurrent === undefined ? {} : { isCurrent }),
  }
}

async function send(request: FastifyRequest, reply: FastifyReply, page: KeptPage): Promise<void> {
  // Nobody between us and the visitor may keep it: who signs in is shown another page at the same address.
  void reply.headers({ ...page.headers, 'cache-control': 'private, no-cache', etag: page.etag })
  if (isKnown(request.headers['if-none-match'], page.etag)) return void reply.status(304).send()
  const encoding = acceptedEncoding(request.headers['accept-encoding'])
  if (encoding === undefined) return void reply.send(page.body)
  void reply.header('content-encoding', encoding).send(await page.encoded(encoding))
}
