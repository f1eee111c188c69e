/**
 * Rendered pages, kept in memory by everything that they were rendered from, until something that they show changes.
 */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Encoding } from './accepted-encoding.ts'

/** Some things change by the clock alone: a price's lowest of 30 days, the day of a new tax rate. */
const longest = 60_000

export type RenderedPage = {
  headers: Readonly<Record<string, string>>
  body: Buffer
  /** Whether what it was made from, other than what changes are told of, is still the same. */
  isCurrent?: () => Promise<boolean>
}
export type KeptPage = RenderedPage & {
  etag: string
  /** The body, compressed when it is first asked for. */
  encoded(encoding: Encoding): Promise<Buffer>
}
export type KeptPages = {
  /**
   * The page of a key; made by `render` if there is none. Many who ask at once have it made once.
   * @returns undefined if `render` says that what it made is nobody else's, or if changes are not told now.
   */
  find(key: string, render: () => Promise<RenderedPage | undefined>): Promise<KeptPage | undefined>
  /** Forgets every page, also those that are being made. */
  clear(): void
  /** What all pages take up. */
  bytes(): number
}

const compress = {
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
    }),
  gzip: (body: Buffer) => promisify(gzip)(body),
}

/** @param isTold whether changes reach us; while they do not, nothing is kept. */
export function createKeptPages({ isTold, maxBytes }: { isTold: () => boolean; maxBytes: number }): KeptPages {
  type Entry = { page: KeptPage; bytes: number; until: number }
  const entries = new Map<string, Entry>() // the longest unused first
  const rendering = new Map<string, { since: number; page: Promise<KeptPage | undefined> }>()
  let bytes = 0
  let changes = 0

  function drop(key: string) {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  function weigh(key: string, entry: Entry, more: number) {
    if (entries.get(key) !== entry) return
    entry.bytes += more
    bytes += more
    for (const oldest of entries.keys()) {
      if (bytes <= maxBytes) break
      drop(oldest)
    }
  }

  async function make(key: string, render: () => Promise<RenderedPage | undefined>) {
    const since = changes
    const rendered = await render()
    if (rendered === undefined) return undefined
    const compressed = new Map<Encoding, Promise<Buffer>>()
    const page: KeptPage = {
      ...rendered,
      etag: etagOf(key, rendered),
      encoded(encoding) {
        const known = compressed.get(encoding)
        if (known !== undefined) return known
        const making = compress[encoding](rendered.body)
        compressed.set(encoding, making)
        making.then(
          ({ length }) => weigh(key, entry, length),
          () => compressed.delete(encoding),
        )
        return making
      },
    }
    const entry: Entry = { page, bytes: 0, until: Date.now() + longest }
    // Something changed meanwhile: the page may show what was before.
    if (since !== changes || !isTold()) return page
    drop(key)
    entries.set(key, entry)
    weigh(key, entry, rendered.body.length + key.length)
    return page
  }

  function findKept(key: string): KeptPage | undefined {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    entries.delete(key)
    if (entry.until <= Date.now()) {
      bytes -= entry.bytes
      return undefined
    }
    entries.set(key, entry)
    return entry.page
  }

  async function findOrMake(key: string, render: () => Promise<RenderedPage | undefined>) {
    const begun = rendering.get(key)
    if (begun?.since === changes) return begun.page
    const mine = { since: changes, page: make(key, render) }
    rendering.set(key, mine)
    try {
      return await mine.page
    } finally {
      if (rendering.get(key) === mine) rendering.delete(key)
    }
  }

  return {
    async find(key, render) {
      if (!isTold()) return undefined
      const kept = findKept(key)
      if (kept !== undefined) {
        if (kept.isCurrent === undefined || (await kept.isCurrent())) return kept
        drop(key)
      }
      const page = await findOrMake(key, render)
      // It may have been begun for somebody who came before the change.
      return page?.isCurrent === undefined || (await page.isCurrent()) ? page : undefined
    },
    clear() {
      changes++
      entries.clear()
      bytes = 0
    },
    bytes: () => bytes,
  }
}

/** Weak, because it is the same however the page is compressed. Of the key too: it never speaks for another page. */
function etagOf(key: string, { headers, body }: RenderedPage): string {
  const hash = createHash('sha256').update(key).update('\n').update(JSON.stringify(headers)).update('\n').update(body)
  return `W/"${hash.digest('base64url').slice(0, 27)}"`
}
