/** Writes a stream to a file in pieces of a mebibyte, while the next piece arrives. */
import { writev } from 'node:fs'
import { promisify } from 'node:util'

const PIECE = 1024 * 1024
const writeAll = promisify(writev)

export type PiecesOptions = {
  fd: number
  /** Where in the file it begins. */
  offset: number
  /** Sees what comes, in order, before it is written; what it throws ends the writing. */
  onChunk?: ((chunk: Uint8Array) => void) | undefined
  onWritten?: ((to: number) => void) | undefined
}

/**
 * However the stream ends, everything received by then is written.
 * @throws what the stream, `onChunk` or the disk says
 */
export async function writeInPieces(
  bytes: AsyncIterable<Uint8Array>,
  { fd, offset, onChunk, onWritten }: PiecesOptions,
): Promise<void> {
  let pieces: Uint8Array[] = []
  let waiting = 0
  let writing: Promise<void> = Promise.resolve()
  let written = offset

  async function write(chunks: Uint8Array[], length: number) {
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
  async function finish() {
    if (waiting > 0) await flush()
    await writing
  }

  try {
    for await (const chunk of bytes) {
      onChunk?.(chunk)
      pieces.push(chunk)
      waiting += chunk.length
      if (waiting >= PIECE) await flush()
    }
  } catch (error) {
    await finish().catch(() => {})
    throw error
  }
  await finish()
}
