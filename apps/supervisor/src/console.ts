/**
 * The console of one server: the last lines in memory and on the volume, handed to listeners in batches.
 *
 * A batch is written to the volume before anybody sees it, so that the numbers of lines never repeat after a kill.
 * Lines are turned into JSON once; the same text goes to the file and to every listener.
 */
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createFenceFinder } from '@wakestone/minecraft/command-fence'
import type { ConsoleLine } from '@wakestone/protocol/supervisor'

const KEPT_LINES = 1000
/** Bounds the memory that a thousand very long lines could take. */
const KEPT_LENGTH = 8 * 1024 * 1024
const FILE_BYTES = 4 * 1024 * 1024
const FLUSH_MS = 15
/** A burst is flushed early at this size, so that one frame never grows large. */
const FLUSH_LENGTH = 256 * 1024

/** Lines as JSON texts, the first of which has the number `firstSeq`. */
export type ConsoleBatch = { firstSeq: number; lines: string[] }
export type GameConsole = {
  write(stream: ConsoleLine['stream'], text: string): void
  /** Kept lines whose number is greater than `seq`. */
  linesAfter(seq: number): ConsoleBatch
  /** The texts of the last lines that are for people. */
  lastTexts(count: number): string[]
  /** Calls back with each new batch; returns how to end that. */
  listen(listener: (batch: ConsoleBatch) => void): () => void
  flush(): void
  close(): void
}

export function openConsole({ folder }: { folder: string }): GameConsole {
  mkdirSync(folder, { recursive: true })
  const current = join(folder, 'current.ndjson')
  const previous = join(folder, 'previous.ndjson')
  const listeners = new Set<(batch: ConsoleBatch) => void>()

  let kept: string[] = [...readLines(previous), ...readLines(current)].slice(-KEPT_LINES)
  let keptLength = kept.reduce((sum, line) => sum + line.length, 0)
  let seq = kept.length > 0 ? (JSON.parse(kept.at(-1) as string) as ConsoleLine).seq : 0
  let file: number | undefined = openSync(current, 'a', 0o600)
  let fileBytes = statSync(current).size
  let pending: string[] = []
  let pendingLength = 0
  let timer: NodeJS.Timeout | undefined
  // A torn last line of a killed run must not swallow the next one.
  if (fileBytes > 0) append('\n')

  function append(text: string) {
    if (file === undefined) return
    try {
      if (fileBytes > FILE_BYTES) {
        closeSync(file)
        renameSync(current, previous)
        file = openSync(current, 'a', 0o600)
        fileBytes = 0
      }
      fileBytes += writeSync(file, text)
    } catch {
      // A full or damaged volume must not end the game; the lines still reach memory and listeners.
    }
  }

  function flush() {
    clearTimeout(timer)
    timer = undefined
    if (pending.length === 0) return
    const batch = { firstSeq: seq - pending.length + 1, lines: pending }
    pending = []
    pendingLength = 0
    append(`${batch.lines.join('\n')}\n`)
    kept.push(...batch.lines)
    for (const line of batch.lines) keptLength += line.length
    let surplus = Math.max(0, kept.length - KEPT_LINES)
    for (let index = 0; index < surplus || (keptLength > KEPT_LENGTH && index < kept.length - 1); index++) {
      keptLength -= (kept[index] as string).length
      surplus = Math.max(surplus, index + 1)
    }
    if (surplus > 0) kept = kept.slice(surplus)
    for (const listener of listeners) listener(batch)
  }

  return {
    write(stream, text) {
      const line = JSON.stringify({ seq: ++seq, time: Date.now(), stream, text })
      pending.push(line)
      pendingLength += line.length
      if (pendingLength > FLUSH_LENGTH) flush()
      else timer ??= setTimeout(flush, FLUSH_MS)
    },
    linesAfter(after) {
      flush()
      const firstSeq = seq - kept.length + 1
      const skip = Math.max(0, after - firstSeq + 1)
      return { firstSeq: firstSeq + skip, lines: kept.slice(skip) }
    },
    lastTexts(count) {
      flush()
      const isOfFence = createFenceFinder()
      const lines = kept.slice(-count).map((line) => JSON.parse(line) as ConsoleLine)
      return lines.filter((line) => !isOfFence(line)).map(({ text }) => text)
    },
    listen(listener) {
      flush()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    flush,
    close() {
      flush()
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

/** The good lines of a file, in order and without gaps at their end; a torn or foreign line is left out. */
function readLines(path: string): string[] {
  let text: string
  try {
    if (statSync(path).size > 4 * FILE_BYTES) return []
    text = readFileSync(path, 'utf8')
  } catch {
    return []
  }
  let lines: string[] = []
  let last = 0
  for (const line of text.split('\n')) {
    const seq = /^\{"seq":(\d{1,15}),"time":\d+,"stream":"(?:out|err|in|system)","text":".*"\}$/.exec(line)?.[1]
    if (seq === undefined || !isJson(line)) continue
    if (Number(seq) !== last + 1) lines = []
    last = Number(seq)
    lines.push(line)
  }
  return lines
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
