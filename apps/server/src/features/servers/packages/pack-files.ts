/** Files of packs that people have brought, kept by what they are. */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, type ReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DomainError } from '@wakestone/contract/errors'
import type { Settings } from '@wakestone/kit/settings'
import { PackError, packLimits } from '@wakestone/packager/packs/pack'
import { curseForgeManifest } from '@wakestone/packager/packs/curseforge'
import { modrinthIndex } from '@wakestone/packager/packs/modrinth'
import { readZipEntry } from '#src/adapters/packages/packs/zip-entry.ts'

type Place = Pick<Settings, 'DATA_DIR'>

const home = ({ DATA_DIR }: Place) => join(resolve(DATA_DIR), 'artifacts', 'packs')
const pathOf = (place: Place, sha256: string) => join(home(place), sha256)

export type PackFile = { sha256: string; size: number; format: 'modrinth' | 'curseforge'; list: string }

/**
 * Keeps what comes, where it is a pack.
 * @throws DomainError `request_too_large`; PackError for what is none
 */
export async function keepPackFile(place: Place, bytes: AsyncIterable<Uint8Array>): Promise<PackFile> {
  await mkdir(home(place), { recursive: true, mode: 0o700 })
  const draft = join(home(place), `incoming-${randomUUID()}`)
  const file = await open(draft, 'wx+', 0o644)
  try {
    const hash = createHash('sha256')
    let size = 0
    for await (const part of bytes) {
      size += part.length
      if (size > packLimits.archiveBytes) throw new DomainError('request_too_large', { limit: packLimits.archiveBytes })
      hash.update(part)
      await file.write(part)
    }
    await file.sync()
    const read = (entry: string) => readZipEntry(file, entry, { mostBytes: packLimits.indexBytes })
    const index = await read(modrinthIndex)
    const list = index ?? (await read(curseForgeManifest))
    if (list === undefined) throw new PackError(`the archive has neither ${modrinthIndex} nor ${curseForgeManifest}`)
    const sha256 = hash.digest('hex')
    await rename(draft, pathOf(place, sha256))
    return { sha256, size, format: index === undefined ? 'curseforge' : 'modrinth', list: list.toString('utf8') }
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
}

export async function openPackFile(
  place: Place,
  sha256: string,
): Promise<{ stream: ReadStream; size: number } | undefined> {
  if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined
  const path = pathOf(place, sha256)
  const facts = await stat(path).catch(() => undefined)
  return facts?.isFile() ? { stream: createReadStream(path), size: facts.size } : undefined
}

const patienceMilliseconds = 24 * 3600_000

/** Takes away what no server has any more. */
export async function clearPackFiles(place: Place, isKept: (sha256: string) => Promise<boolean>): Promise<void> {
  for (const name of await readdir(home(place)).catch(() => [])) {
    const path = join(home(place), name)
    const facts = await stat(path).catch(() => undefined)
    if (facts === undefined || facts.mtimeMs > Date.now() - patienceMilliseconds) continue
    if (name.startsWith('incoming-') || !(await isKept(name))) await rm(path, { force: true })
  }
}
