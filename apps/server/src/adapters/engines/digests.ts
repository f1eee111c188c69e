/**
 * Digests of files whose maker publishes none, or a weak one. Each is read once to the end and its digest kept, so that all
 * servers get the bytes that the first one was offered.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DomainError } from '@wakestone/contract/errors'
import { z } from 'zod'
import type { Upstream } from './upstream.ts'

const digestSchema = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), size: z.number().int().positive() })
type Digest = z.infer<typeof digestSchema>

/** The largest have some 100 MB; a line of 10 Mbit/s brings that in this time. */
const PATIENCE_MS = 120_000
const MAX_BYTES = 1024 ** 3

/** @param md5 what the maker says of it, where it says no more */
type Asked = { name: string; url: string; md5?: string | undefined }
export type Digests = {
  /**
   * @param name of a file that never changes, such as `fabric-loader-0.16.9`; letters, digits, dots and dashes count
   * @throws DomainError `engine_catalogue_unavailable`
   */
  of(asked: Asked): Promise<Digest>
}

export function createDigests({ folder, upstream }: { folder: string; upstream: Upstream }): Digests {
  const reading = new Map<string, Promise<Digest>>()

  async function readKept(path: string): Promise<Digest | undefined> {
    const text = await readFile(path, 'utf8').catch(() => '{}')
    return digestSchema.safeParse(JSON.parse(text)).data
  }

  async function read(name: string, { url, md5 }: Asked): Promise<Digest> {
    const path = join(folder, `${name}.json`)
    const kept = await readKept(path)
    if (kept) return kept
    const digest = await download(url, md5)
    await mkdir(folder, { recursive: true })
    const draft = `${path}.${process.pid}.new`
    await writeFile(draft, JSON.stringify(digest))
    await rename(draft, path)
    return digest
  }

  async function download(url: string, md5: string | undefined): Promise<Digest> {
    const refuse = (reason: string) =>
      new DomainError('engine_catalogue_unavailable', { host: new URL(url).host, reason })
    const hash = createHash('sha256')
    const weak = createHash('md5')
    let size = 0
    try {
      const response = await fetch(url, {
        headers: { 'user-agent': upstream.userAgent },
        signal: AbortSignal.timeout(Math.max(PATIENCE_MS, upstream.timeoutMs)),
      })
      if (!response.ok || response.body === null) {
        await response.body?.cancel()
        throw refuse(`status ${response.status}`)
      }
      for await (const part of response.body) {
        size += part.length
        if (size > MAX_BYTES) throw refuse('answer too large')
        hash.update(part)
        weak.update(part)
      }
    } catch (error) {
      throw error instanceof DomainError ? error : refuse('no answer')
    }
    if (md5 !== undefined && weak.digest('hex') !== md5) throw refuse('hash differs')
    return { sha256: hash.digest('hex'), size }
  }

  return {
    of(asked) {
      const name = asked.name.replaceAll(/[^A-Za-z0-9.-]/g, '_')
      let found = reading.get(name)
      if (!found) {
        found = read(name, asked).finally(() => reading.delete(name))
        reading.set(name, found)
      }
      return found
    },
  }
}
