/**
 * Files of packages that servers cannot fetch themselves, since they lie where the walls let nobody go: the product's
 * own artifacts, and sources in the operator's own network. They are fetched here and shown to all sandboxes, read-only,
 * each named by its content: what is not what its package says is given to nobody.
 */
import { createHash } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { InstallPlan } from '@wakestone/packager/manifest'
import { isRefused } from './network/ranges.ts'

type File = InstallPlan['packages'][number]['downloadFiles'][number]

const KEPT_MS = 24 * 3_600_000
const FETCH_MS = 10 * 60_000

/** What a file is called there; the supervisor looks for the same name. */
export const nameOf = ({ hash }: Pick<File, 'hash'>) => hash.replace(':', '-')

/** @param internet whether servers reach the internet; otherwise all is fetched for them */
export async function provideFiles(plan: InstallPlan, { folder, internet }: { folder: string; internet: boolean }) {
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  removeOld(folder)
  for (const file of plan.packages.flatMap(({ downloadFiles }) => downloadFiles)) {
    if (!/^[a-z0-9]+:[0-9a-f]+$/.test(file.hash)) continue
    const path = join(folder, nameOf(file))
    if (existsSync(path)) utimesSync(path, new Date(), new Date())
    else if (!internet || (await isOutOfReach(file.url))) await fetchFile(file, path)
  }
}

async function isOutOfReach(url: string): Promise<boolean> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [{ address: host }] : await lookup(host, { all: true }).catch(() => [])
  return addresses.length > 0 && addresses.every(({ address }) => isRefused(address))
}

async function fetchFile(file: File, path: string) {
  const draft = `${path}.${process.pid}.new`
  try {
    const response = await fetch(file.url, { signal: AbortSignal.timeout(FETCH_MS) })
    if (!response.ok || response.body === null) throw new Error(`${file.url} answers ${response.status}`)
    const [algorithm, expected] = file.hash.split(':') as [string, string]
    const hash = createHash(algorithm)
    let size = 0
    await pipeline(
      Readable.fromWeb(response.body),
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          if (file.size !== null && (size += chunk.length) > file.size) throw new Error(`${file.url} is too large`)
          hash.update(chunk)
          yield chunk
        }
      },
      createWriteStream(draft, { mode: 0o644 }),
    )
    if (hash.digest('hex') !== expected) throw new Error(`${file.url} is not what its package names`)
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

function removeOld(folder: string) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found && Date.now() - found.mtimeMs > KEPT_MS) rmSync(path, { force: true })
  }
}
