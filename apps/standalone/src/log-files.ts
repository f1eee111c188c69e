/**
 * Turns the parts' JSON lines into readable ones: all of them into `DATA_DIR/logs/<part>.log`, warnings and worse also
 * on the terminal.
 */
import { createWriteStream, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** A file that reached this size is put aside as `<part>.log.1`; the one put aside before is dropped. */
const largest = 20 * 1024 * 1024
const warning = 40
const error = 50
const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

export type PartLog = {
  follow(stream: Readable): void
  write(line: string): void
  /** The last line that named an error outside of the log's entries, as a dying process prints. */
  lastFault(): string | undefined
}

/** While `isQuiet()`, only errors reach the terminal. */
export function openPartLog({
  folder,
  part,
  isQuiet,
}: {
  folder: string
  part: string
  isQuiet: () => boolean
}): PartLog {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${part}.log`)
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  let file = createWriteStream(path, { flags: 'a' })
  let fault: string | undefined

  function write(line: string) {
    if (size > largest) {
      file.end()
      renameSync(path, `${path}.1`)
      file = createWriteStream(path, { flags: 'a' })
      size = 0
    }
    size += Buffer.byteLength(line) + 1
    file.write(`${line}\n`)
  }

  function follow(stream: Readable) {
    createInterface({ input: stream }).on('line', (raw) => {
      const { line, level } = readable(raw)
      write(line)
      if (level >= (isQuiet() ? error : warning)) console.error(`${part}: ${line}`)
      if (/^[A-Za-z]*Error\b/.test(raw)) fault = raw
    })
  }
  return { follow, write, lastFault: () => fault }
}

/** `2026-11-20T14:03:22.123Z warn message key=value …`; a line that is no log entry stays as it is. */
export function readable(raw: string): { line: string; level: number } {
  let entry: Record<string, unknown>
  try {
    entry = JSON.parse(raw) as Record<string, unknown>
  } catch {
    return { line: raw, level: 0 }
  }
  if (typeof entry?.['level'] !== 'number') return { line: raw, level: 0 }
  const { level, time, msg, part: _part, error: fault, err, ...rest } = entry
  const fields = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const words = [time, levels[level as number] ?? level, msg, ...fields].filter((word) => word !== undefined)
  const stack = [fault, err].filter((found) => found !== undefined).map((found) => `\n    ${describeFault(found)}`)
  return { line: words.join(' ') + stack.join(''), level: level as number }
}

function describeFault(fault: unknown): string {
  if (typeof fault !== 'object' || fault === null) return String(fault)
  const { stack, message } = fault as { stack?: string; message?: string }
  return (stack ?? message ?? JSON.stringify(fault)).replaceAll('\n', '\n    ')
}
