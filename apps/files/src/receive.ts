/** Takes a body into a file. */
import type { IncomingMessage } from 'node:http'
import { type PiecesOptions, writeInPieces } from '@wakestone/kit/write-in-pieces'
import { FileError } from './errors.ts'

export type ReceiveOptions = PiecesOptions & {
  /** Most bytes that are taken. */
  limit: number
}

/**
 * A body that is cut off ends without an error, with what has come of it written.
 * @throws FileError request_too_large, and what the disk says
 */
export async function receiveAt(request: IncomingMessage, { limit, onChunk, ...place }: ReceiveOptions): Promise<void> {
  let taken = 0
  try {
    await writeInPieces(request as AsyncIterable<Uint8Array>, {
      ...place,
      onChunk(chunk) {
        taken += chunk.length
        if (taken > limit) throw new FileError('request_too_large')
        onChunk?.(chunk)
      },
    })
  } catch (error) {
    if (request.complete || error instanceof FileError || !isCutOff(error)) throw error
  }
}

const isCutOff = (error: unknown) =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ECONNABORTED'].includes((error as NodeJS.ErrnoException).code ?? '')
