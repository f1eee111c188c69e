/**
 * Files that the operator has laid out beside a dump: `volumes/<uuid>/`, `backups/<uuid>.tar.gz`, `databases/<name>.sql`.
 * They were customers': no link is followed, and nothing but plain files is read.
 */
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** Names of ours within a volume, which nothing from elsewhere takes the place of. */
const own = new Set(['.wakestone', '.trash', '.revisions', '.transfers', '.world-uploads', '.mysql.sql'])
const mostFiles = 1_000_000
const mostDepth = 64

export type SourceFile = { path: string; size: number; mtime: number }
export type Listing = { files: SourceFile[]; folders: string[]; bytes: number; skipped: number }

export class TooMuch extends Error {}

async function statNoLink(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
/** MySQL allows more; such a database is not imported by its name. */
const isPlainName = (text: string) => /^[A-Za-z0-9_$-]{1,64}$/.test(text)

export async function findVolume(folder: string, uuid: string): Promise<string | undefined> {
  if (!isUuid(uuid)) return undefined
  const path = join(folder, 'volumes', uuid)
  return (await statNoLink(path))?.isDirectory() ? path : undefined
}

export async function findBackup(folder: string, uuid: string): Promise<string | undefined> {
  if (!isUuid(uuid)) return undefined
  const path = join(folder, 'backups', `${uuid}.tar.gz`)
  return (await statNoLink(path))?.isFile() ? path : undefined
}

export async function findDatabaseDump(folder: string, name: string): Promise<string | undefined> {
  if (!isPlainName(name)) return undefined
  const path = join(folder, 'databases', `${name}.sql`)
  return (await statNoLink(path))?.isFile() ? path : undefined
}

/** Opens a plain file, and nothing that has taken its place meanwhile. */
export async function openPlain(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new Error(`${path} is no file any more`)
}

/** Everything in a volume. @throws TooMuch */
export async function listVolume(root: string): Promise<Listing> {
  const listing: Listing = { files: [], folders: [], bytes: 0, skipped: 0 }
  await walk(root, '', 0, listing)
  return listing
}

async function walk(root: string, within: string, depth: number, listing: Listing): Promise<void> {
  if (depth > mostDepth) throw new TooMuch(`folders in it lie more than ${mostDepth} deep`)
  for await (const entry of await opendir(join(root, within))) {
    const path = within === '' ? entry.name : `${within}/${entry.name}`
    // A name that is no UTF-8 cannot be told from another by now.
    const isNamed = !entry.name.includes('\ufffd')
    if (!isNamed || (within === '' && own.has(entry.name))) listing.skipped++
    else if (entry.isDirectory()) {
      listing.folders.push(path)
      await walk(root, path, depth + 1, listing)
    } else if (entry.isFile()) {
      const stats = await statNoLink(join(root, path))
      if (stats?.isFile() !== true) continue
      listing.files.push({ path, size: stats.size, mtime: Math.max(0, Math.trunc(stats.mtimeMs)) })
      listing.bytes += stats.size
      if (listing.files.length > mostFiles) throw new TooMuch(`it has more than ${mostFiles} files`)
    } else listing.skipped++
  }
}

/** A path within an archive as one of a volume; undefined for one that leads elsewhere, or is ours. */
export function pathWithin(path: string): string | undefined {
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  const isOurs = names.length > 0 && own.has(names[0]!)
  if (path.startsWith('/') || names.length === 0 || names.length > mostDepth || isOurs) return undefined
  if (names.some((name) => name === '..' || name.includes('\0') || name.includes('\ufffd'))) return undefined
  return names.join('/')
}

const smallBytes = 64 * 1024

/** The version of the game that a Paper of whatever kind has noted; undefined where there is no such note. */
export async function readInstalledVersion(folder: string | undefined, uuid: string): Promise<string | undefined> {
  const volume = folder === undefined ? undefined : await findVolume(folder, uuid)
  if (volume === undefined || !(await statNoLink(join(volume, 'version_history.json')))?.isFile()) return undefined
  const file = await openPlain(join(volume, 'version_history.json'))
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(smallBytes), 0, smallBytes, 0)
    return /"currentVersion"\s*:\s*"[^"]*\(MC: ([\w.-]{1,20})\)/.exec(buffer.toString('utf8', 0, bytesRead))?.[1]
  } catch {
    return undefined
  } finally {
    await file.close()
  }
}
