/**
 * Turns the parts' JSON lines into readable ones: all of them into `DATA_DIR/logs/<part>.log`, warnings and worse also
 * on the terminal.
 */
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { openLogFile } from './log-file.ts'

const warning = 40
const error = 50
const fatal = 60
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
  const file = openLogFile(join(folder, `${part}.log`), (cause) => {
    console.error(`${part}: its log cannot be written (${cause}); the part goes on without`)
  })
  let fault: string | undefined

  function follow(stream: Readable) {
    let unfinished = ''
    stream.setEncoding('utf8')
    // Not by `readline`: it ends lines at U+2028 and U+2029 too, which stand unescaped in texts of JSON.
    stream.on('data', (chunk: string) => {
      const lines = (unfinished + chunk).split('\n')
      unfinished = lines.pop() ?? ''
      for (const line of lines) take(line)
    })
    stream.on('end', () => {
      if (unfinished !== '') take(unfinished)
    })
  }

  function take(raw: string) {
    const { line, level } = readable(raw)
    file.write(line)
    if (level >= (isQuiet() ? error : warning)) console.error(`${part}: ${line}`)
    if (level >= fatal || /^[A-Za-z]*[Ee]rror\b/.test(raw)) fault = line
  }
  return { follow, write: file.write, lastFault: () => fault }
}

/**
 * `2026-11-20T14:03:22.123Z warn message key=value …`; a line that is no log entry stays as it is. What others chose,
 * such as a player's name, can neither begin a line of its own nor move a terminal's cursor.
 */
export function readable(raw: string): { line: string; level: number } {
  let entry: Record<string, unknown>
  try {
    entry = JSON.parse(raw) as Record<string, unknown>
  } catch {
    return { line: visible(raw), level: 0 }
  }
  if (typeof entry?.['level'] !== 'number') return { line: visible(raw), level: 0 }
  const { level, time, msg, part: _part, error: fault, err, ...rest } = entry
  const fields = Object.entries(rest).map(([name, value]) => `${visible(name)}=${describeValue(value)}`)
  const words = [time, levels[level as number] ?? level, msg].filter((word) => word !== undefined)
  const stack = [fault, err].filter((found) => found !== undefined).map((found) => `\n    ${describeFault(found)}`)
  return {
    line: [...words.map((word) => visible(String(word))), ...fields].join(' ') + stack.join(''),
    level: level as number,
  }
}

/** Text with spaces is quoted, so that none of it passes for another field. */
function describeValue(value: unknown): string {
  if (typeof value === 'string' && !/[\s"=]/.test(value)) return visible(value)
  return visible(JSON.stringify(value))
}

function describeFault(fault: unknown): string {
  if (typeof fault !== 'object' || fault === null) return visible(String(fault))
  const { stack, message } = fault as { stack?: string; message?: string }
  return (stack ?? message ?? JSON.stringify(fault)).split('\n').map(visible).join('\n    ')
}

/** Characters that steer a terminal, or the order in which text is shown, as escapes. */
function visible(text: string): string {
  return text.replace(
    /[\0-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
