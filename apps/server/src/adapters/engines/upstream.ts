/** How the catalogues of others are asked: with a deadline, a bound on size, a schema, and a memory. */
import { createHash } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import type { z } from 'zod'
import { readBounded, TooLargeError } from '#src/adapters/outbound/read-bounded.ts'

/** What every request of one installation shares. */
export type Upstream = {
  /** Names the software and a contact, as PaperMC asks. */
  userAgent: string
  timeoutMs: number
}

const MAX_BYTES = 8 * 1024 * 1024

type JsonRequest<Schema extends z.ZodType> = {
  url: string
  schema: Schema
  /** Refuse a body of another sha1. */
  sha1?: string
  /** A file among those of a release: it lies at another host than the address says. */
  isElsewhere?: boolean
}

/**
 * Fetches a JSON document; members that the schema does not name are dropped.
 * @returns null when the upstream says that there is no such document (404)
 * @throws DomainError `engine_catalogue_unavailable` when it cannot be had or is not what the schema says
 */
export async function fetchJson<Schema extends z.ZodType>(
  upstream: Upstream,
  { url, schema, sha1, isElsewhere = false }: JsonRequest<Schema>,
): Promise<z.infer<Schema> | null> {
  const refuse = refusalOf(url)
  const body = await fetchBody(upstream, { url, accept: 'application/json', isElsewhere })
  if (body === null) return null
  if (sha1 !== undefined && createHash('sha1').update(body).digest('hex') !== sha1) throw refuse('hash differs')
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString('utf8'))
  } catch (error) {
    throw refuse('no JSON', error)
  }
  const result = schema.safeParse(parsed)
  if (!result.success) throw refuse('unknown form', result.error)
  return result.data
}

/** @returns null when there is no such document @throws DomainError `engine_catalogue_unavailable` */
export async function fetchText(upstream: Upstream, url: string): Promise<string | null> {
  const body = await fetchBody(upstream, { url, accept: 'application/xml, text/*', isElsewhere: false })
  return body === null ? null : body.toString('utf8')
}

const refusalOf = (url: string) => (reason: string, cause?: unknown) => {
  const error = new DomainError('engine_catalogue_unavailable', { host: new URL(url).host, reason })
  error.cause = cause
  return error
}

type BodyRequest = { url: string; accept: string; isElsewhere: boolean }

async function fetchBody(upstream: Upstream, { url, accept, isElsewhere }: BodyRequest): Promise<Buffer | null> {
  const refuse = refusalOf(url)
  try {
    const response = await fetch(url, {
      headers: { 'user-agent': upstream.userAgent, accept },
      signal: AbortSignal.timeout(upstream.timeoutMs),
      // A catalogue that answers from elsewhere is not the one the operator has named.
      redirect: isElsewhere ? 'follow' : 'error',
    })
    if (response.status === 404) {
      await response.body?.cancel()
      return null
    }
    if (!response.ok) {
      await response.body?.cancel()
      throw refuse(`status ${response.status}`)
    }
    return await readBounded(response, MAX_BYTES)
  } catch (error) {
    throw error instanceof DomainError
      ? error
      : refuse(error instanceof TooLargeError ? 'answer too large' : 'no answer', error)
  }
}

/**
 * An address that an upstream gives must be HTTPS, or of the very server that was configured.
 * @throws DomainError `engine_catalogue_unavailable`
 */
export function checkAddress(address: string, base: string): string {
  const url = URL.parse(address)
  if (url?.protocol === 'https:' || (url !== null && url.origin === new URL(base).origin)) return address
  throw new DomainError('engine_catalogue_unavailable', { host: new URL(base).host, reason: 'unsafe address' })
}

export type Cache = {
  /** The value of this key: fresh, or loaded, or an old one when loading fails. */
  get<Value>(key: string, load: () => Promise<Value>): Promise<Value>
}

type Entry = { value: unknown; freshUntil: number } | { error: unknown; freshUntil: number }

/**
 * Remembers values for `ttlMs`, and a failure for `retryMs`. A failed load gives the old value while there is one.
 * Concurrent readers share one load.
 */
export function createCache({
  ttlMs,
  retryMs,
  now = Date.now,
}: {
  ttlMs: number
  retryMs: number
  now?: () => number
}): Cache {
  const entries = new Map<string, Entry>()
  const loading = new Map<string, Promise<unknown>>()

  async function refresh(key: string, load: () => Promise<unknown>): Promise<unknown> {
    const known = entries.get(key)
    try {
      const value = await load()
      entries.set(key, { value, freshUntil: now() + ttlMs })
      return value
    } catch (error) {
      const freshUntil = now() + retryMs
      if (known && 'value' in known) {
        entries.set(key, { value: known.value, freshUntil })
        return known.value
      }
      entries.set(key, { error, freshUntil })
      throw error
    }
  }

  return {
    get<Value>(key: string, load: () => Promise<Value>): Promise<Value> {
      const known = entries.get(key)
      if (known && known.freshUntil > now()) {
        return 'value' in known ? Promise.resolve(known.value as Value) : Promise.reject(known.error as Error)
      }
      let pending = loading.get(key)
      if (!pending) {
        pending = refresh(key, load).finally(() => loading.delete(key))
        loading.set(key, pending)
      }
      return pending as Promise<Value>
    },
  }
}
