/** Bytes of files, whole or a range. */
import { close, read } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { eTagOf } from './describe.ts'
import { FileError } from './errors.ts'
import type { Access, Volume } from './volume.ts'

const CHUNK = 256 * 1024
const readAt = promisify(read)
const closeFile = promisify(close)

export async function sendFile(
  volume: Volume,
  path: string,
  { request, response }: { request: IncomingMessage; response: ServerResponse },
  access: Access = 'read',
): Promise<void> {
  const { fd, stats } = volume.openFile(path, access)
  try {
    const size = Number(stats.size)
    const eTag = eTagOf(stats)
    response.setHeader('accept-ranges', 'bytes')
    response.setHeader('etag', eTag)
    response.setHeader('last-modified', stats.mtime.toUTCString())
    response.setHeader('content-type', 'application/octet-stream')
    const isWhole = request.headers['if-range'] !== undefined && request.headers['if-range'] !== eTag
    const range = isWhole ? undefined : readRange(request.headers.range, size)
    const { start, end } = range ?? { start: 0, end: size - 1 }
    response.setHeader('content-length', end - start + 1)
    if (range) response.setHeader('content-range', `bytes ${start}-${end}/${size}`)
    response.writeHead(range ? 206 : 200)
    if (request.method === 'HEAD') return void response.end()
    await sendBytes(response, fd, start, end)
  } finally {
    await closeFile(fd)
  }
}

/**
 * Sends the bytes from `start` to `end` (within). A file that has become shorter ends the connection: what was said about it
 * is not so any more. Two buffers do: one is filled while the other goes.
 */
async function sendBytes(response: ServerResponse, fd: number, start: number, end: number): Promise<void> {
  const buffers = [Buffer.allocUnsafeSlow(CHUNK), Buffer.allocUnsafeSlow(CHUNK)] as const
  let going: Promise<void> = Promise.resolve()
  for (let at = start, turn = 0; at <= end && !response.destroyed; turn++) {
    const buffer = buffers[turn % 2 === 0 ? 0 : 1]
    const { bytesRead } = await readAt(fd, buffer, 0, Math.min(CHUNK, end - at + 1), at)
    if (bytesRead === 0) return void response.destroy()
    at += bytesRead
    await going
    going = send(response, buffer.subarray(0, bytesRead))
  }
  await going
  response.end()
}

/** Until the bytes have gone, or nobody takes them any more. */
function send(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((done) => {
    response.write(bytes, () => done())
    if (response.destroyed) done()
  })
}

/** One range as of RFC 9110; undefined where the whole is wanted, also by several ranges. */
export function readRange(header: string | undefined, size: number): { start: number; end: number } | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && first !== '' && Number(last) < Number(first)) return undefined
  if (start >= size || end < start) throw new FileError('range_not_satisfiable', { size })
  return { start, end }
}
