/**
 * The spool of durable events: a file of JSON lines on the volume. An event is on the disk before anybody sees it,
 * and its number follows the one before without a gap, over kills and restarts.
 */
import { closeSync, constants, fsyncSync, ftruncateSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { SupervisorEvent } from '@wakestone/protocol/supervisor'
import { writeFileAtomically } from './volume.ts'

type WithoutNumber<T> = T extends unknown ? Omit<T, 'seq' | 'at'> : never
export type NewEvent = WithoutNumber<SupervisorEvent>
/** Fills in what depends on the event's number. */
export type EventMaker = (seq: number) => NewEvent

export type EventSpool = {
  /** Number of the last event that was given one. */
  lastSeq(): number
  append(make: EventMaker): void
  /** Waits until all events given so far are on the disk. */
  settled(): Promise<void>
  /** Spooled events with a greater number, as JSON lines, then calls back with each new one; returns how to end. */
  follow(after: number, listener: (line: string) => void): () => void
  /** Forgets events up to `seq`. */
  acknowledge(seq: number): Promise<void>
  close(): Promise<void>
}

/** Events that were acknowledged are dropped from the file once it holds this many bytes. */
const COMPACT_BYTES = 64 * 1024

export function openEventSpool({ folder }: { folder: string }): EventSpool {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'spool.ndjson')
  const { base, lines, bytes } = recover(path)
  /** Events on the disk; the first one has the number `firstSeq`. */
  let spooled = lines
  let firstSeq = base + 1
  let seq = base + lines.length
  let fileBytes = bytes
  let waiting: string[] = []
  let work: Promise<void> = Promise.resolve()
  let handle: FileHandle | undefined
  const listeners = new Set<(line: string) => void>()

  async function flush() {
    const batch = waiting
    if (batch.length === 0) return
    waiting = []
    const text = `${batch.join('\n')}\n`
    try {
      handle ??= await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600)
      await handle.appendFile(text)
      await handle.datasync()
      fileBytes += Buffer.byteLength(text)
    } catch {
      // The volume is full or damaged: better an event that only lives in memory than none at all.
    }
    for (const line of batch) {
      spooled.push(line)
      for (const listener of listeners) listener(line)
    }
  }

  async function compact() {
    await handle?.close()
    handle = undefined
    const text = [JSON.stringify({ base: firstSeq - 1 }), ...spooled, ''].join('\n')
    writeFileAtomically(path, text)
    fileBytes = Buffer.byteLength(text)
  }

  return {
    lastSeq: () => seq,
    append(make) {
      const at = new Date().toISOString()
      seq++
      waiting.push(JSON.stringify({ seq, at, ...make(seq) }))
      work = work.then(flush)
    },
    settled: () => work,
    follow(after, listener) {
      for (const line of spooled.slice(Math.max(0, after - firstSeq + 1))) listener(line)
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    acknowledge(upTo) {
      work = work.then(async () => {
        const done = Math.min(spooled.length, upTo - firstSeq + 1)
        if (done <= 0) return
        spooled = spooled.slice(done)
        firstSeq += done
        if (fileBytes > COMPACT_BYTES) await compact()
      })
      return work
    },
    close() {
      work = work.then(async () => {
        await handle?.close()
        handle = undefined
      })
      return work
    },
  }
}

/** Reads a spool back; cuts off a line that a kill tore, and whatever follows a fault. */
function recover(path: string): { base: number; lines: string[]; bytes: number } {
  let data: Buffer
  try {
    data = readFileSync(path)
  } catch {
    data = Buffer.alloc(0)
  }
  let base = -1
  const lines: string[] = []
  let good = 0
  while (good < data.length) {
    const end = data.indexOf(10, good)
    if (end === -1) break
    const line = data.toString('utf8', good, end)
    let entry: { base?: unknown; seq?: unknown }
    try {
      entry = JSON.parse(line) as typeof entry
    } catch {
      break
    }
    if (base === -1 && Number.isInteger(entry.base)) base = entry.base as number
    else if (base !== -1 && entry.seq === base + lines.length + 1) lines.push(line)
    else break
    good = end + 1
  }
  if (base === -1) {
    writeFileAtomically(path, '{"base":0}\n')
    return { base: 0, lines: [], bytes: 11 }
  }
  if (good < data.length) truncate(path, good)
  return { base, lines, bytes: good }
}

function truncate(path: string, length: number) {
  const file = openSync(path, 'r+')
  try {
    ftruncateSync(file, length)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
