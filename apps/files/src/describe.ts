/** What is told of a file. */
import { type BigIntStats, fstatSync, closeSync, type Stats } from 'node:fs'
import type { FileType } from '@wakestone/protocol/file-values'
import type { FileStat } from '@wakestone/protocol/files'
import { nameOfLink, openItself, readLink, type Volume } from './volume.ts'

const FORMAT = 0o170000
const ofFormat: Record<number, FileType> = { 0o100000: 'file', 0o040000: 'folder', 0o120000: 'link' }

export const typeOf = (stats: Stats | BigIntStats): FileType => ofFormat[Number(stats.mode) & FORMAT] ?? 'other'

/** Names a content: the file itself, its size, and the moment of its last change, which nobody can set. */
export const revisionOf = ({ ino, size, ctimeNs }: BigIntStats): string =>
  `${ino.toString(36)}-${size.toString(36)}-${ctimeNs.toString(36)}`

export const eTagOf = (stats: BigIntStats) => `"${revisionOf(stats)}"`

/** A link is told as itself. */
export function describe(volume: Volume, path: string): FileStat {
  using place = volume.find(path, 'read')
  const fd = openItself(place.at)
  try {
    const stats = fstatSync(fd, { bigint: true })
    const type = typeOf(stats)
    const target = type === 'link' ? readLink(place.at) : undefined
    return {
      name: place.name === '.' ? '' : place.name,
      type,
      size: Number(stats.size),
      mtime: Number(stats.mtimeMs),
      mode: Number(stats.mode) & 0o7777,
      target: target ? nameOfLink(target) : null,
      revision: type === 'file' ? revisionOf(stats) : null,
      takes: Number(stats.blocks) * 512,
    }
  } finally {
    closeSync(fd)
  }
}
