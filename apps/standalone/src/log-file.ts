/**
 * A log file that is never in the way: it stays below a size, and what cannot be written (a full disk) is dropped and
 * counted until it can be again.
 */
import {
  copyFileSync,
  createWriteStream,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  type WriteStream,
} from 'node:fs'
import { dirname } from 'node:path'

/** A file that reached this size is put aside as `<name>.1`; the one put aside before is dropped. */
const largest = 20 * 1024 * 1024
/** What may wait in memory for a slow disk. */
const mostWaiting = 1024 * 1024
const tryAgainMilliseconds = 1_000

/** @param onFault told once when lines begin to be dropped. */
export function openLogFile(path: string, onFault: (cause: string) => void): { write(line: string): void } {
  mkdirSync(dirname(path), { recursive: true })
  let size = 0
  let dropped = 0
  let isFaulty = false
  let closedUntil = 0
  let file = open()

  function open(): WriteStream {
    size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    const stream = createWriteStream(path, { flags: 'a' })
    stream.on('error', noteFault)
    return stream
  }

  function noteFault(error: NodeJS.ErrnoException) {
    if (!isFaulty) onFault(error.code ?? error.message)
    isFaulty = true
    closedUntil = Date.now() + tryAgainMilliseconds
  }

  function write(line: string) {
    if (size > largest) putAside()
    if (file.destroyed && Date.now() >= closedUntil) file = open()
    if (file.destroyed || file.writableLength > mostWaiting) {
      dropped += 1
      return
    }
    const before = dropped
    dropped = 0
    const text = before === 0 ? `${line}\n` : `(${before} lines could not be written)\n${line}\n`
    size += Buffer.byteLength(text)
    file.write(text, (error) => {
      if (error) dropped += before + 1
      else isFaulty = false
    })
  }

  function putAside() {
    file.end()
    try {
      renameSync(path, `${path}.1`)
    } catch (error) {
      noteFault(error as NodeJS.ErrnoException)
    }
    file = open()
  }

  return { write }
}

/** Puts a file aside that another process appends to, which would go on writing into a renamed one. */
export function boundForeignLog(path: string): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= largest) return
  try {
    copyFileSync(path, `${path}.1`)
  } catch (error) {
    rmSync(`${path}.1`, { force: true }) // no room for a copy
    console.error(`${path} is emptied, and could not be put aside (${(error as NodeJS.ErrnoException).code})`)
  }
  truncateSync(path)
}
