/** A log as it grows. When it is rotated, what is left of the old one is told, then the new one from its beginning. */
import { close, fstatSync, lstatSync, read } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { asFileError, FileError } from './errors.ts'
import { drained } from './lines.ts'
import type { Volume } from './volume.ts'

const LOOK_MS = 250
const CHUNK = 64 * 1024
const readAt = promisify(read)
const closeFile = promisify(close)

/** @param from where to begin; undefined: at the end, negative: so many bytes before it */
export async function followFile(
  volume: Volume,
  { path, from }: { path: string; from: number | undefined },
  response: ServerResponse,
): Promise<void> {
  let { fd } = volume.openFile(path)
  try {
    const { size } = fstatSync(fd)
    let at = from === undefined ? size : from < 0 ? Math.max(0, size + from) : Math.min(from, size)
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'follow-offset': at })
    response.flushHeaders()
    while (!response.destroyed) {
      at = await tellRest(fd, at, response)
      const newer = openNewer(volume, path, fd)
      if (newer !== undefined) {
        // What was written into the old one until it was replaced.
        await tellRest(fd, at, response)
        await closeFile(fd)
        fd = newer
        at = 0
        continue
      }
      // Cut short and written anew.
      if (fstatSync(fd).size < at) at = 0
      else await closedOrLater(response)
    }
  } finally {
    await closeFile(fd)
  }
}

async function tellRest(fd: number, from: number, response: ServerResponse): Promise<number> {
  let at = from
  while (!response.destroyed) {
    const { bytesRead, buffer } = await readAt(fd, Buffer.allocUnsafe(CHUNK), 0, CHUNK, at)
    if (bytesRead === 0) break
    at += bytesRead
    if (!response.write(buffer.subarray(0, bytesRead)) && !response.destroyed) await drained(response)
  }
  return at
}

/** Another file that has taken its place, opened. */
function openNewer(volume: Volume, path: string, fd: number): number | undefined {
  try {
    using place = volume.find(path, 'read', { followLast: true })
    const there = lstatSync(place.at, { throwIfNoEntry: false })
    if (!there?.isFile() || there.ino === fstatSync(fd).ino) return undefined
    return volume.openFile(path).fd
  } catch (error) {
    // Between two of them there is none.
    if (error instanceof FileError || asFileError(error)) return undefined
    throw error
  }
}

const closedOrLater = (response: ServerResponse): Promise<void> =>
  new Promise((done) => {
    const end = () => {
      clearTimeout(timer)
      response.off('close', end)
      done()
    }
    const timer = setTimeout(end, LOOK_MS)
    response.on('close', end)
  })
