/** The cookie that names a browser, so that its owner's logins are told from those elsewhere. */
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '@wakestone/kit/settings'
import type { Device } from '#src/features/accounts/sign-in/service.ts'
import { setOwnCookie } from './own-cookies.ts'

const deviceCookie = 'ws_device'
const cookieSeconds = 365 * 24 * 3600

/** The browser of a request, which gets its name on the answer when it has none yet. */
export function deviceOf(request: FastifyRequest, reply: FastifyReply, settings: Settings): Device {
  const given = request.cookies[deviceCookie]
  const known = given !== undefined && /^[\w-]{43}$/.test(given) ? given : undefined
  const device = known ?? randomBytes(32).toString('base64url')
  setOwnCookie(reply, settings, { name: deviceCookie, value: device, seconds: cookieSeconds })
  return { ip: request.ip, userAgent: request.headers['user-agent'], device, isNamedNow: known === undefined }
}
