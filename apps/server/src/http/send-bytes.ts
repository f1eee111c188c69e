/** Sends a customer's bytes to a browser: to be saved, never to be shown as a page of ours. */
import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import { create as contentDisposition } from 'content-disposition'
import type { FileBytes } from '#src/adapters/files/client.ts'
import { pourOf } from '#src/adapters/files/straight.ts'
import type { Held } from './held-right.ts'

/** Pictures are the one thing that pages of ours show of a file as it is; what is no picture shows nothing. */
const pictures: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  bmp: 'image/bmp',
  ico: 'image/x-icon',
}
/** By the name that we know it by: what the box says it is counts for nothing. */
const typeOf = (name: string) =>
  pictures[name.slice(name.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream'

/** Neither side moves a byte: it is given up. */
const stillMilliseconds = 60_000
/** A browser that was told to wait keeps what it has open for so long. */
const pausedMilliseconds = 10 * 60_000
const lookMilliseconds = 10_000

/** Whatever is opened of it, it runs nothing and reaches nothing. */
const harmless = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

type Options = {
  /** The name that it is saved under. */
  name: string
  /** Without it by the name. */
  type?: string
  /** Nothing may come for as long as nothing happens. */
  isEndless?: boolean
  /** Whether parts of it can be asked for. */
  hasRanges?: boolean
  held: Held
}

export function sendBytes(reply: FastifyReply, { head, body }: FileBytes, options: Options): FastifyReply {
  const { name, type = typeOf(name), held, isEndless = false, hasRanges = false } = options
  const { raw } = reply
  const end = () => body.destroy()
  raw.once('close', () => {
    held.close()
    end()
  })
  held.signal.addEventListener('abort', () => raw.destroy(), { once: true })
  if (raw.destroyed || held.signal.aborted) {
    held.close()
    end()
    raw.destroy()
  }
  if (!isEndless) endWhenStill({ body, answer: raw })
  void reply.status(head.status).headers({
    ...harmless,
    'content-type': type,
    'content-disposition': contentDisposition(name),
    ...(hasRanges && { 'accept-ranges': 'bytes' }),
    ...(head.length !== undefined && { 'content-length': head.length }),
    ...(head.range !== undefined && { 'content-range': head.range }),
    ...(head.revision !== undefined && { etag: `"${head.revision}"` }),
    ...(head.followOffset !== undefined && { 'follow-offset': head.followOffset }),
    ...(isEndless && { 'x-accel-buffering': 'no' }), // a proxy may not hold lines back
  })
  const pour = head.length === undefined ? undefined : pourOf(body)
  if (head.length === undefined || pour === undefined) return reply.send(body)
  reply.hijack()
  raw.writeHead(head.status, reply.getHeaders() as OutgoingHttpHeaders)
  pour(body, head.length, raw)
  return reply
}

/** Ends what has stopped on one side: sooner where the box says nothing than where a browser does not read. */
function endWhenStill({ body, answer }: { body: FileBytes['body']; answer: FastifyReply['raw'] }): void {
  let seen = -1
  let since = Date.now()
  const timer = setInterval(() => {
    const sent = (answer.socket?.bytesWritten ?? 0) + (body.socket?.bytesRead ?? 0)
    if (sent !== seen) [seen, since] = [sent, Date.now()]
    const patience = answer.writableNeedDrain ? pausedMilliseconds : stillMilliseconds
    if (Date.now() - since > patience) answer.destroy()
  }, lookMilliseconds)
  answer.once('close', () => clearInterval(timer))
}
