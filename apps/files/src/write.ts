/** What an editor saves: a file gets another content, whole or not at all. */
import { closeSync, fchmodSync, fstatSync, readFileSync, renameSync, writeSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { writeBytes } from '@wakestone/protocol/file-values'
import type { WrittenFile } from '@wakestone/protocol/files'
import { revisionOf } from './describe.ts'
import { errnoOf, FileError } from './errors.ts'
import { createFile, dropFile, makeId, openOwnPath, syncFile, syncFolder } from './own.ts'
import { keepRevision, listRevisions } from './revisions.ts'
import { receiveAt } from './receive.ts'
import type { Space } from './space.ts'
import { openPlainFile, type Place, type Volume } from './volume.ts'

const DRAFTS = ['.transfers', 'drafts']
const LARGEST_TEXT = 4 * 1024 * 1024

/** What the asker knows of the file: its revision, or that there is none; undefined: whatever there is. */
export type Condition = { revision: string } | { missing: true } | undefined

export function readCondition(headers: IncomingMessage['headers']): Condition {
  const match = headers['if-match']
  if (headers['if-none-match'] !== undefined) {
    if (headers['if-none-match'] !== '*' || match !== undefined)
      throw new FileError('invalid_request', { 'if-none-match': 'invalid' })
    return { missing: true }
  }
  if (match === undefined) return undefined
  const revision = /^"([\w.-]{1,100})"$/.exec(match)?.[1]
  if (revision === undefined) throw new FileError('invalid_request', { 'if-match': 'invalid' })
  return { revision }
}

/**
 * @throws FileError file_has_been_modified_since with the revision that it has now, resource_already_exists,
 *   file_does_not_exist, file_has_other_type, file_is_too_large, disc_quota_exceeding
 */
export async function writeContent(
  { volume, space }: { volume: Volume; space: Space },
  path: string,
  request: IncomingMessage,
): Promise<WrittenFile> {
  const condition = readCondition(request.headers)
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > writeBytes) throw new FileError('file_is_too_large', { limit: writeBytes })
  // Before the content comes: most of those who are late are found here.
  {
    using place = findTarget(volume, path)
    const current = lookAtTarget(place, condition)
    if (current) closeSync(current.fd)
  }
  return placeContent({ volume, space }, { path, condition, size: announced, fill: (draft) => receive(request, draft) })
}

/** As `writeContent`, of bytes that are at hand. */
export function writeBytesAt(
  parts: { volume: Volume; space: Space },
  path: string,
  content: Buffer,
  condition: Condition,
): Promise<WrittenFile> {
  async function fill(draft: number) {
    for (let at = 0; at < content.length;) at += writeSync(draft, content, at)
    return content.length
  }
  return placeContent(parts, { path, condition, size: content.length, fill })
}

/** A small text with what names it; undefined where there is none, or it is larger than lists are. */
export function readWhole(volume: Volume, path: string): { text: string; revision: string; path: string } | undefined {
  let file: ReturnType<Volume['openFile']>
  try {
    file = volume.openFile(path)
  } catch {
    return undefined
  }
  try {
    const { stats } = file
    if (stats.size > LARGEST_TEXT) return undefined
    return { text: readFileSync(file.fd, 'utf8'), revision: revisionOf(stats), path: file.path }
  } finally {
    closeSync(file.fd)
  }
}

type Content = {
  path: string
  condition: Condition
  /** Bytes that are to come, as far as that is known. */
  size: number
  /** Writes them. @returns how many they were */
  fill: (draft: number) => Promise<number>
}

async function placeContent(
  { volume, space }: { volume: Volume; space: Space },
  { path, condition, size: expected, fill }: Content,
): Promise<WrittenFile> {
  await space.require(expected)
  using drafts = openOwnPath(volume.top, DRAFTS)
  const name = makeId()
  const draft = createFile(drafts, name)
  try {
    const size = await fill(draft)
    await syncFile(draft)
    using target = findTarget(volume, path)
    // From here to the rename nothing waits, so nobody else here can come between.
    const current = lookAtTarget(target, condition)
    if (current) {
      try {
        fchmodSync(draft, Number(current.stats.mode) & 0o777)
        keepRevision(volume, target.path, current.fd, Number(current.stats.size))
      } finally {
        closeSync(current.fd)
      }
    }
    renameSync(drafts.at(name), target.at)
    const stats = fstatSync(draft, { bigint: true })
    await syncFolder(target.folder)
    space.add(size)
    if (current) await listRevisions(volume, target.path)
    return { revision: revisionOf(stats), size, mtime: Number(stats.mtimeMs) }
  } catch (error) {
    dropFile(drafts, name)
    throw error
  } finally {
    closeSync(draft)
  }
}

function findTarget(volume: Volume, path: string): Place {
  const place = volume.find(path, 'write', { followLast: true })
  if (place.name !== '.') return place
  place[Symbol.dispose]()
  throw new FileError('file_has_other_type')
}

/** The file that is there, opened; undefined where there is none. */
function lookAtTarget(place: Place, condition: Condition): ReturnType<typeof openPlainFile> | undefined {
  let current: ReturnType<typeof openPlainFile>
  try {
    current = openPlainFile(place.at)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    if (condition && 'revision' in condition) throw new FileError('file_does_not_exist')
    return undefined
  }
  const revision = revisionOf(current.stats)
  if (condition && ('missing' in condition || condition.revision !== revision)) {
    closeSync(current.fd)
    throw 'missing' in condition
      ? new FileError('resource_already_exists', { path: place.path })
      : new FileError('file_has_been_modified_since', { revision })
  }
  return current
}

async function receive(request: IncomingMessage, fd: number): Promise<number> {
  await receiveAt(request, { fd, offset: 0, limit: writeBytes }).catch((error: Error) => {
    throw error instanceof FileError ? new FileError('file_is_too_large', { limit: writeBytes }) : error
  })
  if (!request.complete) throw new FileError('invalid_request', { body: 'cut off' })
  return fstatSync(fd).size
}
