/**
 * Fetches a file from an address that a customer gave. Each address, also those that it leads on to, is checked as it is
 * connected to; nothing of ours is sent along.
 */
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { ForbiddenTarget, guardLookup, isForbiddenHost, type MayCall } from './guarded-lookup.ts'

const mostRedirects = 5
/** Until an answer begins, each time. */
const answerMilliseconds = 20_000
/** Other ports below this belong to services that are no web servers. */
const firstOtherPort = 1024
const longestAddress = 4096

export type Download = {
  body: IncomingMessage
  /** Bytes of the whole; undefined where it is not said. */
  size: number | undefined
  /** Where the bytes that come begin. */
  offset: number
  /** By which a later part is known to be of the same file; a weak one is none. */
  etag: string | undefined
}

/** It answered with something else than a file. `status` 0: with nothing. */
export class NoDownload extends Error {
  readonly status: number
  constructor(message: string, status = 0, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** @throws ForbiddenTarget where we do not call, whoever asks */
export function checkTarget(address: string, mayCall: MayCall): URL {
  if (address.length > longestAddress || !URL.canParse(address)) throw new ForbiddenTarget('no address')
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new ForbiddenTarget('only http and https')
  if (url.username !== '' || url.password !== '') throw new ForbiddenTarget('no names and passwords in addresses')
  if (isForbiddenHost(url, mayCall)) throw new ForbiddenTarget('only public addresses are called')
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (port !== 443 && port !== 80 && port < firstOtherPort)
    throw new ForbiddenTarget(`nothing is fetched from port ${port}`)
  return url
}

/**
 * Begins a download, from `offset` on where the file is still the one of `etag`.
 * @throws ForbiddenTarget, NoDownload
 */
export async function download(
  address: string,
  {
    from,
    mayCall,
    signal,
  }: { from?: { offset: number; etag: string } | undefined; mayCall: MayCall; signal: AbortSignal },
): Promise<Download> {
  let url = checkTarget(address, mayCall)
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const answer = await ask(url, { from, mayCall, signal })
    const { statusCode = 0, headers } = answer
    if (statusCode === 200 || statusCode === 206) return readHead(answer)
    answer.destroy()
    if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined)
      throw new NoDownload(`answered ${statusCode}`, statusCode)
    if (!URL.canParse(headers.location, url.href)) throw new NoDownload('leads nowhere', statusCode)
    url = checkTarget(new URL(headers.location, url).href, mayCall)
  }
  throw new NoDownload('leads on and on')
}

function ask(
  url: URL,
  {
    from,
    mayCall,
    signal,
  }: { from: { offset: number; etag: string } | undefined; mayCall: MayCall; signal: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const impatience = new AbortController()
    const timer = setTimeout(() => impatience.abort(), answerMilliseconds)
    const sent = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, {
      headers: {
        'user-agent': 'Wakestone',
        accept: '*/*',
        'accept-encoding': 'identity',
        ...(from !== undefined && { range: `bytes=${from.offset}-`, 'if-range': from.etag }),
      },
      agent: false,
      signal: AbortSignal.any([signal, impatience.signal]),
      lookup: guardLookup(mayCall),
    })
    sent.on('response', (answer) => {
      clearTimeout(timer)
      resolve(answer)
    })
    sent.on('error', (error) => {
      clearTimeout(timer)
      reject(error instanceof ForbiddenTarget ? error : new NoDownload(error.message, 0, { cause: error }))
    })
    sent.end()
  })
}

function readHead(body: IncomingMessage): Download {
  const { statusCode, headers } = body
  const etag = headers.etag !== undefined && /^"[^"]{1,200}"$/.test(headers.etag) ? headers.etag : undefined
  if (statusCode === 206) {
    const [, start, size] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15})$/.exec(headers['content-range'] ?? '') ?? []
    if (start === undefined) {
      body.destroy()
      throw new NoDownload('answered with a part of nobody knows what', 206)
    }
    return { body, size: Number(size), offset: Number(start), etag }
  }
  const length = headers['content-length']
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity'
  const size = length !== undefined && isPlain && /^\d{1,15}$/.test(length) ? Number(length) : undefined
  return { body, size, offset: 0, etag }
}
