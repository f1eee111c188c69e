/** Plain values of files that pages need without the schemas. */
export const fileLimits = {
  pathBytes: 4096,
  nameBytes: 255,
  /** Paths that one call names. */
  paths: 1000,
  /** What an editor opens and saves. */
  textBytes: 16 * 1024 * 1024,
  /** A saved text up to this size is kept as a revision. */
  revisionBytes: 1024 * 1024,
  revisions: 20,
  trashDays: 7,
  /** A ticket lasts so long; what was begun with it goes on. */
  ticketMinutes: 10,
  /** What an upload sends at a time, with a checksum: a connection that breaks, or spoils something, costs one at most. */
  chunkBytes: 4 * 1024 * 1024,
  uploadBytes: 1024 ** 4,
  searchText: 200,
} as const

/** Where archives of worlds wait for their world to be taken out; what nobody takes one out of goes into the trash. */
export const worldUploadsFolder = '.world-uploads'

export const bytesOf = (text: string) => new TextEncoder().encode(text).length

/**
 * Names on a disk are bytes. One that is no UTF-8 is told, and asked for, as `%!` and its bytes in percent form.
 */
const isPercentForm = (name: string) => name.startsWith('%!') && name.length <= 3 * fileLimits.nameBytes + 2

/** Why a name cannot be one of a file or folder; undefined where it can. */
export function findNameFault(name: string): 'empty' | 'dots' | 'characters' | 'long' | undefined {
  if (name === '') return 'empty'
  if (name === '.' || name === '..') return 'dots'
  if (name.includes('/') || name.includes('\0') || !name.isWellFormed()) return 'characters'
  return bytesOf(name) > fileLimits.nameBytes && !isPercentForm(name) ? 'long' : undefined
}

export const fileTypes = ['file', 'folder', 'link', 'other'] as const
export type FileType = (typeof fileTypes)[number]

/** A line of a list of files: name, type, size in bytes, last change in ms since 1970, mode, and where a link leads. */
export type FileLine = [name: string, type: FileType, size: number, mtime: number, mode: number, target?: string]

/** A line of an archive's list: path, type, size in bytes, last change in ms since 1970. */
export type ArchiveLine = [path: string, type: FileType, size: number, mtime: number]

/** A line of a search: path, type; for content also the line (from 1) and its text, cut around the hit. */
export type SearchLine = [path: string, type: FileType, line?: number, text?: string]

/**
 * What happens where something of that name is there already. `replace` puts files in the place of files and joins folders;
 * `keep-both` gives the newcomer a free name.
 */
export const overwriteModes = ['fail', 'replace', 'keep-both'] as const
export type OverwriteMode = (typeof overwriteModes)[number]
/** Of an archive besides: what is there stays, and the newcomer is left out. */
export const unpackModes = [...overwriteModes, 'skip'] as const
export type UnpackMode = (typeof unpackModes)[number]

export const archiveFormats = ['zip', 'tar.zst'] as const
export type ArchiveFormat = (typeof archiveFormats)[number]
