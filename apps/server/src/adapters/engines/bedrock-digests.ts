/**
 * Digests of archives whose maker publishes none. Each version is read once to the end and its digest kept, so that all
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

/** Such an archive has some 100 MB; a line of 10 Mbit/s brings that in this time. */
const PATIENCE_MS = 120_000
const MAX_BYTES = 1024 ** 3

export function createDigests({ folder, upstream }: { folder: string; upstream: Upstream }) {
  const reading = new Map<string, Promise<Digest>>()

  async function readKept(path: string): Promise<Digest | undefined> {
    const text = await readFile(path, 'utf8').catch(() => '{}')
    return digestSchema.safeParse(JSON.parse(text)).data
  }

  async function read(version: string, url: string): Promise<Digest> {
    const path = join(folder, `bedrock-dedicated-${version}.json`)
    const kept = await readKept(path)
    if (kept) return kept
    const digest = await download(url)
    await mkdir(folder, { recursive: true })
    const draft = `${path}.${process.pid}.new`
    await writeFile(draft, JSON.stringify(digest))
    await rename(draft, path)
    return digest
  }

  async function download(url: string): Promise<Digest> {
    const refuse = (reason: string) =>
      new DomainError('engine_catalogue_unavailable', { host: new URL(url).host, reason })
    const hash = createHash('sha256')
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
      }
    } catch (error) {
      throw error instanceof DomainError ? error : refuse('no answer')
    }
    return { sha256: hash.digest('hex'), size }
  }

  return {
    /** @throws DomainError `engine_catalogue_unavailable` */
    of({ version, url }: { version: string; url: string }): Promise<Digest> {
      let found = reading.get(version)
      if (!found) {
        found = read(version, url).finally(() => reading.delete(version))
        reading.set(version, found)
      }
      return found
    },
  }
}
