/** What is noted of an upload beside its bytes, and what requests say of it. */
import { createHash } from 'node:crypto'
import { overwriteModes, splitPath, type OverwriteMode } from '@wakestone/protocol/file-values'
import type { UploadRequest } from '@wakestone/protocol/files'
import { FileError } from './errors.ts'

export type Note = UploadRequest & {
  /** Bytes that count. Where the part under way bears no checksum, those behind them count as well. */
  offset: number
  isLoose: boolean
  /** Bytes that are on the disk whatever happens. */
  durable: number
  /** Of the machine, when this was noted. */
  boot: string
  /** It is whole and about to be placed: number of the file, by which it is found again in its place. */
  placing?: { ino: string; to: string }
}

/** The same file to the same place is the same upload. */
export const idOf = ({ path, size, mtime, sha256, fingerprint }: UploadRequest) =>
  createHash('sha256')
    .update(JSON.stringify([path, size, mtime, sha256, fingerprint]))
    .digest('hex')
    .slice(0, 32)

export function readOffset(header: string | string[] | undefined): number {
  if (typeof header !== 'string' || !/^\d{1,15}$/.test(header))
    throw new FileError('invalid_request', { 'upload-offset': 'invalid' })
  return Number(header)
}

export function readChecksum(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const checksum = /^sha256 ([A-Za-z0-9+/]{43}=)$/.exec(String(header))?.[1]
  if (checksum === undefined) throw new FileError('invalid_request', { 'upload-checksum': 'invalid' })
  return checksum
}

/** The game can have written it: everything in it is looked at. */
export function readUploadNote(note: Record<string, unknown> | undefined): Note | undefined {
  if (!note) return undefined
  const { path, size, mtime, sha256, fingerprint, overwrite, offset, isLoose, durable, boot, placing } = note
  const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
  if (typeof path !== 'string' || path === '' || splitPath(path) === undefined) return undefined
  if (!isCount(size) || !isCount(offset) || !isCount(durable)) return undefined
  const { ino, to } = (placing ?? {}) as Record<string, unknown>
  return {
    path,
    size,
    offset,
    durable,
    isLoose: isLoose === true,
    boot: typeof boot === 'string' ? boot : '',
    ...(isCount(mtime) && { mtime }),
    ...(typeof sha256 === 'string' && { sha256 }),
    ...(typeof fingerprint === 'string' && { fingerprint }),
    ...(overwriteModes.includes(overwrite as OverwriteMode) && { overwrite: overwrite as OverwriteMode }),
    ...(typeof ino === 'string' && typeof to === 'string' && splitPath(to) !== undefined && { placing: { ino, to } }),
  }
}
