/** Fetches one file of a package over HTTP(S), checking size and hash while it streams. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, type ReadStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Manifest } from '@wakestone/packager/manifest'

export type PackageFile = Manifest['downloadFiles'][number]

const SILENCE_MS = 30_000
const MAX_REDIRECTS = 5
/** For files whose size is not known beforehand. */
const MAX_BYTES = 4 * 1024 ** 3
export const RETRY_DELAYS_MS = [500, 2000, 5000, 10_000]

/** Trying again would not help. */
export class FinalDownloadError extends Error {}

export type DownloadOptions = {
  file: PackageFile
  target: string
  onProgress: (bytesDone: number, bytesTotal: number | null) => void
  /** Folder of files that were fetched for us, each named by its hash. */
  provided?: string | undefined
  retryDelaysMs?: readonly number[]
}

/**
 * Downloads `file` to the path `target`.
 * @throws FinalDownloadError or the last network error when it cannot be had, or is not what the manifest names.
 */
export async function downloadFile(options: DownloadOptions) {
  const { retryDelaysMs = RETRY_DELAYS_MS } = options
  for (let attempt = 0; ; attempt++) {
    try {
      return await downloadOnce(options)
    } catch (error) {
      const delay = retryDelaysMs[attempt]
      if (error instanceof FinalDownloadError || delay === undefined) throw error
      await sleep(delay)
    }
  }
}

async function downloadOnce({ file, target, onProgress, provided }: DownloadOptions) {
  const response = openProvided(file, provided) ?? (await request(new URL(file.url), MAX_REDIRECTS))
  const isAnswer = 'headers' in response
  const announced = Number(isAnswer ? response.headers['content-length'] : Number.NaN)
  const total = file.size ?? (Number.isFinite(announced) ? announced : null)
  const [algorithm, expected] = file.hash.split(':') as [string, string]
  const hash = createHash(algorithm)
  let done = 0
  if (isAnswer) response.setTimeout(SILENCE_MS, () => response.destroy(new Error(`no data for ${SILENCE_MS / 1000} s`)))
  response.on('data', (chunk: Buffer) => {
    done += chunk.length
    hash.update(chunk)
    if (done > (file.size ?? MAX_BYTES)) response.destroy(new FinalDownloadError('larger than the manifest says'))
    onProgress(done, total)
  })
  await pipeline(response, createWriteStream(target, { mode: 0o644, flush: true }))
  if (file.size !== null && done !== file.size) throw new Error(`ended after ${done} of ${file.size} bytes`)
  // A broken transfer may give a wrong hash too, so this is tried again like any other fault.
  if (hash.digest('hex') !== expected) throw new Error('hash differs from the manifest')
}

function openProvided({ hash }: PackageFile, folder: string | undefined): ReadStream | undefined {
  const path = folder && join(folder, hash.replace(':', '-'))
  return path && existsSync(path) ? createReadStream(path) : undefined
}

async function request(url: URL, redirectsLeft: number): Promise<IncomingMessage> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FinalDownloadError('address is not HTTP')
  // Not by `import`, which would load much more; see http.ts.
  const { get } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = get(url, { headers: { 'user-agent': 'Wakestone-Supervisor/1' }, agent: false }, resolve)
    sent.setTimeout(SILENCE_MS, () => sent.destroy(new Error('no answer')))
    sent.on('error', reject)
  })
  const status = response.statusCode ?? 0
  if (status === 200) return response
  response.resume()
  if (status >= 300 && status < 400 && response.headers.location) {
    if (redirectsLeft === 0) throw new FinalDownloadError('too many redirects')
    return request(new URL(response.headers.location, url), redirectsLeft - 1)
  }
  const message = `the source answered ${status}`
  throw status === 429 || status === 408 || status >= 500 ? new Error(message) : new FinalDownloadError(message)
}
