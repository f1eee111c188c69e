/** The lists in packs of other catalogues: each archive is fetched once, held against its hash, and let go. */
import { createHash } from 'node:crypto'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PackageSource } from '@wakestone/contract/servers/package-search'
import { PackError, packLimits } from '@wakestone/packager/packs/pack'
import { SourceUnavailableError } from '../source.ts'
import { readZipEntry } from './zip-entry.ts'

type PackArchive = {
  /** `sha512:…`; names the archive. */
  hash: string
  open: (signal: AbortSignal) => Promise<AsyncIterable<Uint8Array>>
}

const mostRemembered = 64 * 1024 * 1024

type PackLists = {
  /**
   * The text of an entry of an archive.
   * @throws PackError for an archive that is not what its hash says, or that cannot be read; SourceUnavailableError
   */
  read(archive: PackArchive, entry: string, signal: AbortSignal): Promise<string>
}

export function createPackLists(source: PackageSource): PackLists {
  const remembered = new Map<string, string>()
  let bytes = 0
  const loading = new Map<string, Promise<string>>()

  function remember(key: string, text: string): void {
    remembered.set(key, text)
    bytes += text.length
    for (const [oldest, old] of remembered) {
      if (bytes <= mostRemembered) break
      remembered.delete(oldest)
      bytes -= old.length
    }
  }

  return {
    async read(archive, entry, signal) {
      const key = `${archive.hash} ${entry}`
      const known = remembered.get(key)
      if (known !== undefined) return known
      let pending = loading.get(key)
      if (pending === undefined) {
        pending = fetchEntry(archive, entry, signal)
          .catch((error: unknown) => {
            if (error instanceof PackError || error instanceof SourceUnavailableError) throw error
            throw new SourceUnavailableError(source, { reason: 'no whole archive', cause: error })
          })
          .finally(() => loading.delete(key))
        loading.set(key, pending)
      }
      const text = await pending
      if (!remembered.has(key)) remember(key, text)
      return text
    },
  }
}

async function fetchEntry({ hash, open: begin }: PackArchive, entry: string, signal: AbortSignal): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wakestone-pack-'))
  try {
    const file = await open(join(folder, 'pack'), 'wx+', 0o600)
    try {
      const [algorithm = '', expected] = hash.split(':')
      const digest = createHash(algorithm)
      let size = 0
      for await (const part of await begin(signal)) {
        size += part.length
        if (size > packLimits.archiveBytes) throw new PackError('the archive is too large')
        digest.update(part)
        await file.write(part)
      }
      if (digest.digest('hex') !== expected) throw new PackError('the archive is not what its hash says')
      const text = await readZipEntry(file, entry, { mostBytes: packLimits.indexBytes })
      if (text === undefined) throw new PackError(`the archive has no ${entry}`)
      return text.toString('utf8')
    } finally {
      await file.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
