/** Takes a body into a file: written in pieces of a megabyte while the next one comes. */
import { writev } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { FileError } from './errors.ts'

const PIECE = 1024 * 1024
const writeAll = promisify(writev)

export type ReceiveOptions = {
  fd: number
  /** Where in the file it begins. */
  offset: number
  /** Most bytes that are taken. */
  limit: number
  /** Sees what comes, in order, before it is written. */
  onChunk?: (chunk: Buffer) => void
  onWritten?: (to: number) => void
}

/**
 * A body that is cut off ends without an error, with what has come of it written.
 * @throws FileError request_too_large, and what the disk says
 */
export async function receiveAt(request: IncomingMessage, options: ReceiveOptions): Promise<void> {
  const { fd, offset, limit, onChunk, onWritten } = options
  let pieces: Buffer[] = []
  let waiting = 0
  let taken = 0
  let writing: Promise<void> = Promise.resolve()
  let written = offset

  async function write(chunks: Buffer[], length: number) {
    let rest = chunks
    for (let left = length; left > 0;) {
      const { bytesWritten } = await writeAll(fd, rest, written)
      written += bytesWritten
      left -= bytesWritten
      if (left > 0) rest = [Buffer.concat(rest).subarray(bytesWritten)]
    }
    onWritten?.(written)
  }
  async function flush() {
    await writing
    writing = write(pieces, waiting)
    writing.catch(() => {}) // seen by the next one who waits for it
    pieces = []
    waiting = 0
  }

  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      if (taken + chunk.length > limit) throw new FileError('request_too_large')
      taken += chunk.length
      onChunk?.(chunk)
      pieces.push(chunk)
      waiting += chunk.length
      if (waiting >= PIECE) await flush()
    }
  } catch (error) {
    if (request.complete || error instanceof FileError || !isCutOff(error)) {
      await writing.catch(() => {})
      throw error
    }
  }
  if (waiting > 0) await flush()
  await writing
}

const isCutOff = (error: unknown) =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNABORTED'].includes((error as NodeJS.ErrnoException).code ?? '')
