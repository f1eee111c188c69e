/** Answers that are the same for many: written and compressed once, sent whole only to who does not have them yet. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type KeptAnswer = { etag: string; forms: Promise<Record<'br' | 'gzip' | 'identity', Buffer>> }

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
  if (holds(request.headers['if-none-match'], etag)) return reply.status(304).send()
  const kept = await forms
  const accepted = request.headers['accept-encoding'] ?? ''
  const encoding = (['br', 'gzip'] as const).find(
    (name) =>
      kept[name] !== kept.identity && new RegExp(`(^|[ ,])${name}(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accepted),
  )
  if (encoding !== undefined) void reply.header('content-encoding', encoding)
  return reply.type('application/json; charset=utf-8').send(kept[encoding ?? 'identity'])
}

const holds = (known: string | undefined, etag: string) =>
  known !== undefined && known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag.slice(2))
