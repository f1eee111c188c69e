/** Answers that are the same for many: written and compressed once, sent whole only to who does not have them yet. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncoding, type Encoding } from './accepted-encoding.ts'

export type KeptAnswer = { etag: string; forms: Promise<Record<Encoding | 'identity', Buffer>> }

/** Less than this travels in one packet anyway. */
const worthCompressing = 1_000

export function keepAnswer(json: string): KeptAnswer {
  const identity = Buffer.from(json)
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`
  return { etag, forms: compress(identity) }
}

async function compress(identity: Buffer) {
  if (identity.length < worthCompressing) return { identity, br: identity, gzip: identity }
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: identity.length }
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(identity, { params }), promisify(gzip)(identity)])
  return { identity, br, gzip: zipped }
}

/** The browser keeps it and asks each time whether it still holds: 304 where it does. */
export async function sendKept(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, forms }: KeptAnswer,
): Promise<FastifyReply> {
  void reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'accept-encoding' })
  if (isKnown(request.headers['if-none-match'], etag)) return reply.status(304).send()
  const kept = await forms
  const encoding = kept.br === kept.identity ? undefined : acceptedEncoding(request.headers['accept-encoding'])
  if (encoding !== undefined) void reply.header('content-encoding', encoding)
  return reply.type('application/json; charset=utf-8').send(kept[encoding ?? 'identity'])
}

/** Whether a browser's copies, by its `If-None-Match`, are the answer of a tag. */
export function isKnown(header: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return (header ?? '').split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}
