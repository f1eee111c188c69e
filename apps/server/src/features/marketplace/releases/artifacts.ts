/** Files of releases: those that come, and those that are kept by what they are. What is handed out is verified before. */
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, type ReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { DomainError } from '@wakestone/contract/errors'
import type { Settings } from '@wakestone/kit/settings'
import { writeInPieces } from '@wakestone/kit/write-in-pieces'

type Place = Pick<Settings, 'DATA_DIR'>

const home = ({ DATA_DIR }: Place) => join(resolve(DATA_DIR), 'artifacts', 'marketplace')
export const artifactPath = (place: Place, sha256: string) => join(home(place), sha256.slice(0, 2), sha256)
const incomingPath = (place: Place, artifactId: string) => join(home(place), 'incoming', artifactId)

export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path, { highWaterMark: 1024 ** 2 })) hash.update(part as Buffer)
  return hash.digest('hex')
}

/** Bytes that have come so far. */
export async function arrivedBytes(place: Place, artifactId: string): Promise<number> {
  return (await stat(incomingPath(place, artifactId)).catch(() => undefined))?.size ?? 0
}

/** One part at a time comes of each file, to this process. What two of them write over each other fails by its hash. */
const coming = new Set<string>()

/**
 * Writes what comes from `offset` on, until it ends or breaks off.
 * @returns how much there is now, and the hash if the file came whole in one part
 * @throws DomainError `upload_offset_differs`, `request_too_large`
 */
export async function appendPart(
  place: Place,
  { artifactId, offset, size, bytes }: { artifactId: string; offset: number; size: number; bytes: Readable },
): Promise<{ at: number; sha256: string | undefined }> {
  const path = incomingPath(place, artifactId)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const has = await arrivedBytes(place, artifactId)
  if (coming.has(artifactId) || has !== offset)
    throw new DomainError('upload_offset_differs', { resource: 'market_project_release', offset: has })
  coming.add(artifactId)
  // If another process writes to it as well, its bytes are appended too and the size gives that away.
  const file = await open(path, has === 0 ? 'a' : 'r+', 0o644)
  const hash = createHash('sha256')
  let at = offset
  try {
    await writeInPieces(bytes as AsyncIterable<Uint8Array>, {
      fd: file.fd,
      offset,
      onChunk(chunk) {
        if (at + chunk.length > size) throw new DomainError('request_too_large', { limit: size })
        at += chunk.length
        if (has === 0) hash.update(chunk)
      },
    })
    if (at === size) await file.sync()
    const isAllOfIt = has === 0 && at === size && (await file.stat()).size === size
    return { at, sha256: isAllOfIt ? hash.digest('hex') : undefined }
  } finally {
    coming.delete(artifactId)
    await file.close()
  }
}

/**
 * Keeps a file that has come whole.
 * @param found its hash, if already known
 * @throws DomainError `upload_checksum_differs`: it has to come anew
 */
export async function keepArtifact(
  place: Place,
  { artifactId, sha256, found }: { artifactId: string; sha256: string; found: string | undefined },
): Promise<void> {
  const path = incomingPath(place, artifactId)
  if ((found ?? (await hashFile(path))) !== sha256) {
    await rm(path, { force: true })
    throw new DomainError('upload_checksum_differs', { resource: 'market_project_release' })
  }
  const target = artifactPath(place, sha256)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  await rename(path, target)
}

/** Keeps a file that is at hand, unless it is there. */
export async function storeArtifact(place: Place, sha256: string, bytes: Uint8Array): Promise<void> {
  if (await isWhole(place, sha256)) return
  const target = artifactPath(place, sha256)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const draft = `${target}.${process.pid}`
  await writeFile(draft, bytes, { mode: 0o644 })
  await rename(draft, target)
}

/**
 * Keeps what comes, whatever it is.
 * @param id of what brings it: once more with the same one begins anew
 * @throws DomainError `request_too_large`
 */
export async function takeArtifact(
  place: Place,
  { id, bytes, mostBytes }: { id: string; bytes: AsyncIterable<Uint8Array>; mostBytes: number },
): Promise<{ sha256: string; size: number }> {
  const path = incomingPath(place, id)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  const file = await open(path, 'w', 0o644)
  let size = 0
  try {
    await writeInPieces(bytes, {
      fd: file.fd,
      offset: 0,
      onChunk(chunk) {
        size += chunk.length
        if (size > mostBytes) throw new DomainError('request_too_large', { limit: mostBytes })
        hash.update(chunk)
      },
    })
    await file.sync()
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
  const sha256 = hash.digest('hex')
  const target = artifactPath(place, sha256)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  await rename(path, target)
  return { sha256, size }
}

export const dropIncoming = (place: Place, artifactId: string): Promise<void> =>
  rm(incomingPath(place, artifactId), { force: true })

const verified = new Map<string, string>()
const mostVerified = 10_000

/** Whether the file is there and is what it is called. Looked at again when it has changed since. */
export async function isWhole(place: Place, sha256: string): Promise<boolean> {
  const path = artifactPath(place, sha256)
  const facts = await stat(path).catch(() => undefined)
  if (facts === undefined || !facts.isFile()) return false
  const mark = `${facts.ino} ${facts.size} ${facts.mtimeMs} ${facts.ctimeMs}`
  if (verified.get(path) === mark) return true
  if ((await hashFile(path)) !== sha256) return false
  if (verified.size >= mostVerified) verified.clear()
  verified.set(path, mark)
  return true
}

export async function openArtifact(place: Place, sha256: string): Promise<ReadStream | undefined> {
  return (await isWhole(place, sha256)) ? createReadStream(artifactPath(place, sha256)) : undefined
}
