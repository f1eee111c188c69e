import type { FileLine, FileType } from '@wakestone/contract/servers/file-values'

/** What a folder holds. */
export type FileEntry = {
  name: string
  type: FileType
  /** Bytes. */
  size: number
  /** Milliseconds since 1970. */
  mtime: number
  mode: number
  /** Where a link leads. */
  target?: string
}

export function entryOf([name, type, size, mtime, mode, target]: FileLine): FileEntry {
  return { name, type, size, mtime, mode, ...(target === undefined ? {} : { target }) }
}

/** `rwxr-x---` */
export function modeText(mode: number): string {
  return [...'rwxrwxrwx'].map((letter, index) => ((mode >> (8 - index)) & 1 ? letter : '-')).join('')
}
