import type { FastifyInstance } from 'fastify'
import { publicUrl, type Settings } from '@wakestone/kit/settings'

/** What no page of ours uses, nor anything that it frames. */
export const unusedFeatures = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]

/**
 * Headers of every answer that its route does not set itself. Answers of the API are for whoever asked, and show nothing
 * by themselves: neither kept nor framed, unless a route says otherwise.
 */
export function guardAnswers(app: FastifyInstance, settings: Settings): void {
  const everywhere = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'permissions-policy': unusedFeatures.map((name) => `${name}=()`).join(', '),
    ...(publicUrl(settings).startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
  const ofApi = {
    ...everywhere,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  }
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(/^\/(api\/v1|internal)\//.test(request.url) ? ofApi : everywhere)
    done()
  })
}
