/** Words and bounds of the files service, which does without a schema library; see `files.ts`. */
import { mysqlDump } from './values.ts'

/** Bytes of a path, and of one name in it. */
export const pathBytes = 4096
export const nameBytes = 255
/** Folders within each other that a walk goes down. */
export const folderDepth = 200
/** Paths that one request names. */
export const pathsPerRequest = 1000
/** What `PUT /v1/write` takes. */
export const writeBytes = 16 * 1024 * 1024
/** The texts that an editor wrote over: how many of a file are kept, and up to which size. */
export const revisionsKept = 20
export const revisionBytes = 1024 * 1024
/** Archives that were sent for the world in them: none is wanted any more after `uploadDays`. */
export const worldUploadsFolder = '.world-uploads'
export const trashDays = 7
/** Of what went out of the trash before its time. */
export const goneTold = 50
export const uploadDays = 7
export const uploadBytes = 1024 ** 4
/** Uploads that are under way at once. */
export const uploadsOpen = 1000
/** Jobs that run at once, wait behind those, and are told of when they are over. */
export const jobsAtOnce = 2
export const jobsWaiting = 20
export const jobsTold = 50
/** What is unpacked: how many entries, how deep, and how many times its own size an archive may grow beyond `ratioFreeBytes`. */
export const archiveEntries = 200_000
export const archiveDepth = 64
export const archiveRatio = 200
export const ratioFreeBytes = 64 * 1024 * 1024
/** Of a file within an archive that is looked at. */
export const archivePreviewBytes = 16 * 1024 * 1024
export const searchTextLength = 200
export const searchHits = 10_000
/** Text around a hit, in characters. */
export const hitLength = 400
/** Trash entries and revisions that one answer tells. */
export const entriesTold = 5_000

/** Of a file that is told as a tree: characters of JSON, nodes, characters of a text, rows of a table. */
export const treeBytes = 8 * 1024 * 1024
export const treeNodes = 20_000
/** How deep its nodes lie in each other. */
export const treeDepth = 512
export const treeText = 1_000
export const treeRows = 100

/** Of players: entries of each list, those who ever came, characters of a name and of a reason, things that one holds. */
export const listedPlayers = 2_000
export const knownPlayers = 2_000
export const playerNameLength = 40
export const playerTextLength = 500
export const playerStacks = 100

export const fileTypes = ['file', 'folder', 'link', 'other'] as const
export type FileType = (typeof fileTypes)[number]
/** Something of that name is there: refused; files in the place of files, folders joined; the newcomer gets a free name. */
export const overwriteModes = ['fail', 'replace', 'keep-both'] as const
export type OverwriteMode = (typeof overwriteModes)[number]
/** Of an archive besides: what is there stays, and the newcomer is left out. */
export const unpackModes = [...overwriteModes, 'skip'] as const
export type UnpackMode = (typeof unpackModes)[number]
export const archiveFormats = ['zip', 'tar.zst'] as const
export type ArchiveFormat = (typeof archiveFormats)[number]
export const jobKinds = [
  'copy',
  'delete',
  'pack',
  'unpack',
  'chmod',
  'measure',
  'world-copy',
  'world-import',
  'world-prune',
] as const
export type JobKind = (typeof jobKinds)[number]
export const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const
export type JobState = (typeof jobStates)[number]

/** What the service refuses with, and the status of it; the codes are of the contract's catalogue. */
export const fileErrors = {
  invalid_request: 400,
  unauthorized: 401,
  access_denied: 403,
  resource_not_found: 404,
  request_too_large: 413,
  too_many_requests: 429,
  internal_error: 500,
  file_does_not_exist: 404,
  file_has_other_type: 400,
  file_has_been_modified_since: 409,
  file_is_too_large: 400,
  file_job_not_found: 404,
  unknown_file_name: 400,
  invalid_file: 400,
  archive_is_encrypted: 400,
  archive_is_too_large: 400,
  disc_quota_exceeding: 400,
  resource_already_exists: 400,
  range_not_satisfiable: 416,
  upload_not_found: 404,
  upload_offset_differs: 409,
  upload_checksum_differs: 460,
} as const
export type FileErrorCode = keyof typeof fileErrors
export type FileErrorFields = Record<string, string | number | boolean>

/** A line of a list: name, type, size in bytes, last change in ms since 1970, permissions, and where a link leads. */
export type FileLine = [name: string, type: FileType, size: number, mtime: number, mode: number, target?: string]
/** A line of an archive's list. */
export type ArchiveLine = [path: string, type: FileType, size: number, mtime: number]
/** A hit: path, type; in content also the number of the line (from 1) and its text, cut around the hit. */
export type SearchLine = [path: string, type: FileType, line?: number, text?: string]

/** The supervisor's own folder, which does not exist for anybody here. */
export const hiddenFolder = '.wakestone'
/** What stands at the top and is the service's own; of these the trash can be read. */
export const trashFolder = '.trash'
export const ownFolders: readonly string[] = [hiddenFolder, trashFolder, '.revisions', '.transfers', mysqlDump]

/**
 * A name on the disk as text. One whose bytes are no UTF-8 (or that begins with `%!`) becomes `%!` and the name with such
 * bytes as `%FF`, so that every name can be told and asked for again.
 */
export function nameOfBytes(bytes: Buffer): string {
  const text = bytes.toString()
  if (!text.includes('\uFFFD') && !text.startsWith('%!')) return text
  if (!text.startsWith('%!') && bytes.equals(Buffer.from(text))) return text
  let name = '%!'
  for (const byte of bytes)
    name +=
      byte < 0x21 || byte > 0x7e || byte === 0x25
        ? `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
        : String.fromCharCode(byte)
  return name
}

/** The bytes that `nameOfBytes` was given; the name itself where it stands for itself; undefined where none is told so. */
export function bytesOfName(name: string): Buffer | string | undefined {
  if (!name.startsWith('%!')) return name.isWellFormed() ? name : undefined
  if (!/^%!(?:%[0-9A-F]{2}|[!-$&-~])+$/.test(name)) return undefined
  const bytes = Buffer.from(
    name.slice(2).replace(/%(..)/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  )
  return nameOfBytes(bytes) === name ? bytes : undefined
}

/** The names of a path; undefined where it is none. '' is the volume itself. */
export function splitPath(path: string): string[] | undefined {
  if (path === '') return []
  if (path.length > 3 * pathBytes || path.includes('\0')) return undefined
  const names = path.split('/')
  let length = 0
  for (const name of names) {
    const bytes = bytesOfName(name)
    if (bytes === undefined || name === '' || name === '.' || name === '..') return undefined
    const size = Buffer.byteLength(bytes)
    if (size > nameBytes || bytes.includes('/') || bytes.includes('\0')) return undefined
    if (typeof bytes !== 'string' && /^\.\.?$/.test(bytes.toString('latin1'))) return undefined
    length += size + 1
  }
  return length - 1 > pathBytes || names[0] === hiddenFolder ? undefined : names
}
