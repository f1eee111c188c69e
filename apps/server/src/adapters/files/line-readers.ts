/**
 * Lines of the lists of a files service: what is told of hundred thousand files at a time, so that a schema would take
 * longer than all the rest. The rules are those of the schemas in `@wakestone/protocol/files`.
 */
import {
  type ArchiveLine,
  type FileLine,
  fileTypes,
  type FileType,
  hitLength,
  nameBytes,
  pathBytes,
  type SearchLine,
} from '@wakestone/protocol/file-values'

const types: ReadonlySet<unknown> = new Set(fileTypes)
const isType = (value: unknown): value is FileType => types.has(value)
/** Names come in percent form where they are no UTF-8. */
const longestName = 3 * nameBytes + 2
const longestPath = 3 * pathBytes
const latest = 8.64e15

/** Undefined for what is no text, or a longer one. */
function readText(value: unknown, longest: number): string | undefined {
  if (typeof value !== 'string' || value.length > longest) return undefined
  return value.isWellFormed() && !value.includes('\0') ? value : value.toWellFormed().replaceAll('\0', '\uFFFD')
}
const readSize = (value: unknown) =>
  typeof value === 'number' ? Math.trunc(Math.min(1e15, Math.max(0, value))) : undefined
const readTime = (value: unknown) =>
  typeof value === 'number' ? Math.trunc(Math.min(latest, Math.max(-latest, value))) : undefined

export function readFileLine(value: unknown): FileLine | undefined {
  if (!Array.isArray(value) || value.length < 5 || value.length > 6) return undefined
  const name = readText(value[0], longestName)
  const size = readSize(value[2])
  const time = readTime(value[3])
  const mode: unknown = value[4]
  if (name === undefined || !isType(value[1]) || size === undefined || time === undefined) return undefined
  if (typeof mode !== 'number') return undefined
  const permissions = Math.trunc(mode) & 0o7777
  if (value[5] === undefined || value[5] === null) return [name, value[1], size, time, permissions]
  const target = readText(value[5], longestPath)
  return target === undefined ? undefined : [name, value[1], size, time, permissions, target]
}

export function readArchiveLine(value: unknown): ArchiveLine | undefined {
  if (!Array.isArray(value) || value.length !== 4) return undefined
  const path = readText(value[0], longestPath)
  const size = readSize(value[2])
  const time = readTime(value[3])
  if (path === undefined || !isType(value[1]) || size === undefined || time === undefined) return undefined
  return [path, value[1], size, time]
}

export function readSearchLine(value: unknown): SearchLine | undefined {
  if (!Array.isArray(value) || value.length < 2 || value.length > 4) return undefined
  const path = readText(value[0], longestPath)
  if (path === undefined || !isType(value[1])) return undefined
  if (value.length === 2) return [path, value[1]]
  const line = readSize(value[2])
  const text = readText(value[3] ?? '', 2 * hitLength)
  return line === undefined || text === undefined ? undefined : [path, value[1], line, text]
}
