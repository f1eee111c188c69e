/** How the catalogues of others are asked: with a deadline, bounds, a memory, and the pace that they wish for. */
import type { PackageSource } from '@wakestone/contract/servers/package-search'
import type { z } from 'zod'
import { readBounded, TooLargeError } from '#src/adapters/outbound/read-bounded.ts'
import { SourceUnavailableError } from '../source.ts'

const deadlineMilliseconds = 15_000
const mostBytes = 8 * 1024 * 1024
/** Answers are remembered this long, and asked for again by their validators afterwards. */
const freshMilliseconds = 5 * 60_000
const mostRemembered = 500
/** Where one says only that it was too much, and not for how long. */
const pauseSeconds = 60
const longestPauseSeconds = 15 * 60

export type Asking = {
  /**
   * @param path behind the base, query included
   * @returns null for what is not there
   * @throws SourceUnavailableError
   */
  get<Schema extends z.ZodType>(path: string, schema: Schema, signal: AbortSignal): Promise<z.output<Schema> | null>
  /** The same with a body of JSON; never remembered. */
  post<Schema extends z.ZodType>(
    path: string,
    { body, schema, signal }: { body: unknown; schema: Schema; signal: AbortSignal },
  ): Promise<z.output<Schema> | null>
}

type Options = {
  source: PackageSource
  /** Without a slash at the end. */
  base: string
  /** What each request says: who asks, and by which key. */
  headers: Record<string, string>
  /** Calls that are under way at a time at most. */
  atOnce?: number
  now?: () => number
}

type Remembered = { text: string; etag: string | null; until: number }

export function createAsking({ source, base, headers, atOnce = 6, now = Date.now }: Options): Asking {
  const remembered = new Map<string, Remembered>()
  const waiting: (() => void)[] = []
  let underWay = 0
  /** Until then it wants to be left alone. */
  let pausedUntil = 0

  const fail = (reason: string, cause?: unknown) => new SourceUnavailableError(source, { reason, cause })

  async function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    if (underWay >= atOnce) await new Promise<void>((begin) => waiting.push(begin))
    underWay += 1
    try {
      return await work()
    } finally {
      underWay -= 1
      waiting.shift()?.()
    }
  }

  async function ask(path: string, { init, signal }: { init: RequestInit; signal: AbortSignal }): Promise<Response> {
    if (pausedUntil > now()) throw fail('asked too often')
    let response: Response
    try {
      response = await fetch(`${base}${path}`, {
        ...init,
        headers: { ...headers, accept: 'application/json', ...(init.headers as Record<string, string>) },
        signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMilliseconds)]),
        redirect: 'error',
      })
    } catch (error) {
      throw fail('no answer', error)
    }
    const { status } = response
    // CurseForge says 403 for both: too much, and a key that is none.
    if (status === 429 || status === 403) {
      pausedUntil = now() + pauseOf(response) * 1000
      await response.body?.cancel()
      throw fail(status === 429 ? 'asked too often' : 'refused')
    }
    // The last one that was allowed: the next would be refused.
    if (response.headers.get('x-ratelimit-remaining') === '0') pausedUntil = now() + pauseOf(response) * 1000
    return response
  }

  function readJson<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
    let parsed: unknown
    try {
      parsed = JSON.parse(text)
    } catch (error) {
      throw fail('no JSON', error)
    }
    const result = schema.safeParse(parsed)
    if (!result.success) throw fail('unknown form', result.error)
    return result.data
  }

  async function readAnswer(response: Response): Promise<string | null> {
    if (response.status === 404) {
      await response.body?.cancel()
      return null
    }
    if (!response.ok) {
      await response.body?.cancel()
      throw fail(`status ${response.status}`)
    }
    try {
      return (await readBounded(response, mostBytes)).toString('utf8')
    } catch (error) {
      throw fail(error instanceof TooLargeError ? 'answer too large' : 'no answer', error)
    }
  }

  async function load(path: string, signal: AbortSignal): Promise<string | null> {
    const known = remembered.get(path)
    if (known && known.until > now()) return known.text
    const init = { headers: known?.etag ? { 'if-none-match': known.etag } : {} }
    return inTurn(async () => {
      const response = await ask(path, { init, signal })
      if (response.status === 304 && known) {
        remember(path, known)
        return known.text
      }
      const text = await readAnswer(response)
      if (text !== null) remember(path, { text, etag: response.headers.get('etag') })
      return text
    })
  }

  function remember(path: string, { text, etag }: Pick<Remembered, 'text' | 'etag'>): void {
    remembered.delete(path)
    remembered.set(path, { text, etag, until: now() + freshMilliseconds })
    const [oldest] = remembered.keys()
    if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest)
  }

  return {
    async get(path, schema, signal) {
      const text = await load(path, signal)
      return text === null ? null : readJson(text, schema)
    },
    async post(path, { body, schema, signal }) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
      const text = await inTurn(async () => readAnswer(await ask(path, { init, signal })))
      return text === null ? null : readJson(text, schema)
    },
  }
}

function pauseOf({ headers }: Response): number {
  const said = Number(headers.get('retry-after') ?? headers.get('x-ratelimit-reset') ?? Number.NaN)
  return Number.isFinite(said) && said > 0 ? Math.min(said, longestPauseSeconds) : pauseSeconds
}
