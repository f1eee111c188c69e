/** Pictures and videos that were drawn anew, under names made of what they show: browsers may keep them for ever. */
import type { FastifyReply } from 'fastify'

export function sendMedia(reply: FastifyReply, { type, content }: { type: string; content: Buffer }): FastifyReply {
  return reply
    .headers({
      'content-type': type,
      'content-length': content.length,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
    })
    .send(content)
}
