/** One page view: who it is for, in which language, and an API client that acts as the visitor, within this process. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type ApiClient, createApiClient, type Transport } from '@wakestone/contract/client'
import { acceptedLanguage, languageCookie, languagesOfHost } from '@wakestone/contract/language'
import { refresh, verify } from '@wakestone/contract/accounts/users-routes'
import type { User } from '@wakestone/contract/accounts/user'
import { publicUrl } from '@wakestone/kit/settings'
import { refreshCookie } from './cookies.ts'
import { type Api, findCaller } from './implement.ts'

/** What was read here last, the account's language, the browser's; of those that this host speaks. */
export function chooseLanguage(request: FastifyRequest, user: User | null, main: readonly string[]) {
  const languages = languagesOfHost(request.hostname, main)
  const known = [request.cookies[languageCookie], user?.language]
  const language =
    languages.find((spoken) => spoken === known[0]) ??
    languages.find((spoken) => spoken === known[1]) ??
    acceptedLanguage(request.headers['accept-language'], languages) ??
    'en'
  return { language, languages }
}

/** Renews a session that only has its refresh cookie left. */
export async function openVisit(
  api: Api,
  request: FastifyRequest,
): Promise<{ client: ApiClient; user: User | null; cookiesToSet: string[] }> {
  const { transport, cookiesToSet } = callWithin(api, {
    cookie: request.headers.cookie ?? '',
    ip: request.ip,
    userAgent: request.headers['user-agent'] ?? '',
  })
  const client = createApiClient(transport)
  let user: User | null = null
  if ((await findCaller(api, request)) !== undefined) {
    user = await client(verify, {}).catch(() => null)
  } else if (request.cookies[refreshCookie] !== undefined) {
    user = await client(refresh, {}).catch(() => null)
  }
  return { client, user, cookiesToSet }
}

/** The same for a page that is shown as to somebody without a session, whoever asks. */
export function openStrangersVisit(api: Api, request: FastifyRequest): Awaited<ReturnType<typeof openVisit>> {
  const browser = { cookie: '', ip: request.ip, userAgent: request.headers['user-agent'] ?? '' }
  const { transport, cookiesToSet } = callWithin(api, browser)
  return { client: createApiClient(transport), user: null, cookiesToSet }
}

/**
 * Calls the API as a browser with these cookies would, or a program with a key; what it sets goes along from then on, and
 * into `cookiesToSet`.
 */
export function callWithin(
  api: Pick<Api, 'app'>,
  browser: { cookie: string; ip: string; userAgent: string; authorization?: string },
): { transport: Transport; cookiesToSet: string[] } {
  const cookiesToSet: string[] = []
  let { cookie } = browser
  const transport: Transport = async (path, init) => {
    const answer = await api.app.inject({
      url: path,
      method: init.method as 'GET',
      headers: {
        ...init.headers,
        cookie,
        'user-agent': browser.userAgent,
        ...(browser.authorization !== undefined && { authorization: browser.authorization }),
      },
      remoteAddress: browser.ip,
      ...(init.body === undefined ? {} : { payload: init.body }),
    })
    const set = [answer.headers['set-cookie'] ?? []].flat()
    cookiesToSet.push(...set)
    if (set.length > 0) cookie = withCookies(cookie, set)
    // Made by hand: a `Response` costs as much as many a call.
    return {
      status: answer.statusCode,
      headers: { get: (name) => answer.headers[name.toLowerCase()]?.toString() ?? null },
      json: async () => answer.json() as unknown,
    }
  }
  return { transport, cookiesToSet }
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

export function toWebRequest(api: Api, request: FastifyRequest, reply: FastifyReply): Request {
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
