/**
 * A connection whose bytes can be poured into an answer past the parser and the streams of HTTP: they are read into the
 * same few large buffers again and again. Of a gigabyte that takes half of the processor's time.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'

const headBytes = 64 * 1024
/** As much as the kernel keeps of a local socket. */
const pieceBytes = 256 * 1024
const mostPieces = 4

type Pour = (body: IncomingMessage, length: number, answer: ServerResponse) => void
const pours = new WeakMap<Socket, Pour>()

/** To be used for one request, with `createConnection`. */
export function connectStraight(path: string): Socket {
  const head = Buffer.allocUnsafeSlow(headBytes)
  const free: Buffer[] = []
  let made = 1
  let answer: ServerResponse | undefined
  let left = 0
  let isStopped = false

  const socket = connect({
    path,
    onread: {
      buffer: () => {
        if (answer === undefined) return head
        const next = free.pop()
        if (next === undefined) made++
        return next ?? Buffer.allocUnsafeSlow(pieceBytes)
      },
      callback(length, buffer) {
        const piece = buffer as Buffer
        if (answer === undefined) {
          socket.emit('data', Buffer.from(piece.subarray(0, length)))
          return true
        }
        give(piece.subarray(0, length), () => {
          free.push(piece)
          if (isStopped && !socket.destroyed) {
            isStopped = false
            socket.resume()
          }
        })
        // One has to be left for what is read next.
        isStopped = free.length + mostPieces - made <= 1
        return !isStopped
      },
    },
  })

  /** No more than was announced: the rest would be taken for another answer. */
  function give(bytes: Buffer, given: () => void) {
    if (left === 0 || answer === undefined) return
    const part = bytes.length > left ? bytes.subarray(0, left) : bytes
    left -= part.length
    answer.write(part, given)
    if (left > 0) return
    answer.end()
    socket.destroy()
  }

  pours.set(socket, (body, length, target) => {
    answer = target
    left = length
    socket.once('close', () => left > 0 && target.destroy())
    for (let chunk: Buffer | null; left > 0 && (chunk = body.read() as Buffer | null) !== null;) give(chunk, () => {})
    if (length === 0) target.end()
    else if (left > 0 && (socket.destroyed || body.complete)) target.destroy()
    else socket.resume()
  })
  return socket
}

/**
 * What has all of a body, of which nothing was read yet, go into an answer whose head was written: so many bytes as were
 * announced. A body that breaks off ends the answer's connection. Undefined where it has to be passed on as a stream.
 */
export const pourOf = ({ socket }: IncomingMessage): Pour | undefined => pours.get(socket)
