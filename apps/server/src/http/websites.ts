/**
 * Serves customers' websites by the host that was asked for. On those hosts there is nothing of the panel: no page, no API,
 * no cookie read or set. It comes before everything else that looks at a request.
 */
import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '#src/context.ts'
import { type Answer, openWebsites } from '#src/features/websites/pages/service.ts'
import { acceptedEncoding } from './accepted-encoding.ts'
import { unusedFeatures } from './security-headers.ts'

const everywhere = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': unusedFeatures.map((name) => `${name}=()`).join(', '),
}
const nothing = "default-src 'none'; frame-ancestors 'none'"

export function serveWebsites(app: FastifyInstance, context: Context): void {
  const websites = openWebsites(context)
  app.addHook('onRequest', async (request, reply) => {
    const host = request.hostname.toLowerCase().replace(/\.$/, '')
    if (!(await websites.isOurs(host))) return
    const [path = '/'] = request.url.split('?')
    const answer = await websites.answer(host, { method: request.method, path })
    return send(request, reply, answer)
  })
}

function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const { status, type, policy, keptFor } = answer
  const body = Buffer.from(answer.body)
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  void reply.status(status).headers({
    ...everywhere,
    'content-type': type,
    'content-security-policy': policy ?? nothing,
    // Somebody whose time is over is off at once.
    'cache-control': keptFor === undefined ? 'no-cache' : `public, max-age=${keptFor}`,
    vary: 'accept-encoding',
    ...(request.protocol === 'https' && { 'strict-transport-security': 'max-age=31536000' }),
    ...(status === 503 && { 'retry-after': '3600' }),
  })
  if (status === 200) void reply.header('etag', tag)
  if (status === 200 && request.headers['if-none-match'] === tag) return reply.status(304).send()
  const isText = /^(text|application)\/|svg/.test(type)
  const encoding = isText && body.length >= 1024 ? acceptedEncoding(request.headers['accept-encoding']) : undefined
  if (encoding === undefined) return reply.send(body)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4 }
  void reply.header('content-encoding', encoding)
  return reply.send(encoding === 'br' ? brotliCompressSync(body, { params }) : gzipSync(body))
}
