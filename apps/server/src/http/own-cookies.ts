/**
 * Cookies that only we set and read. Where the site is https they carry `__Host-` on their way: browsers take such a
 * one from this host alone, and customers own names beside it. Within the product they go by their plain names.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { publicUrl, type Settings } from '@wakestone/kit/settings'

/** Those of a visitor's choices (language, currency, consent …) are not among them: pages set those too. */
const ownCookies = [
  'ws_access',
  'ws_refresh',
  'ws_view_as',
  'ws_login',
  'ws_passkey',
  'ws_discord',
  'ws_email_login',
  'ws_device',
  'ws_visitor',
] as const
export type OwnCookie = (typeof ownCookies)[number]

const prefix = '__Host-'
const isSecure = (settings: Settings) => publicUrl(settings).startsWith('https:')

/** What a cookie is called on its way. */
export const sentName = (name: OwnCookie, settings: Settings) => (isSecure(settings) ? `${prefix}${name}` : name)

/** Has requests carry these cookies by their plain names, as they came from this host and no other. */
export function readOwnCookies(app: FastifyInstance, settings: Settings): void {
  if (!isSecure(settings)) return
  app.addHook('onRequest', (request, _reply, done) => {
    const { cookies } = request
    for (const name of ownCookies) {
      const value = cookies[`${prefix}${name}`]
      if (value !== undefined) cookies[name] = value
      else if (cookies[name] !== undefined) delete cookies[name] // anybody's below our domain
    }
    done()
  })
}

const attributes = (settings: Settings) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(settings) }) as const

/** Sets a cookie that comes back only where the visitor came from a page of ours or by a link. */
export function setOwnCookie(
  reply: FastifyReply,
  settings: Settings,
  { name, value, seconds }: { name: OwnCookie; value: string; seconds: number },
): void {
  void reply.setCookie(sentName(name, settings), value, { ...attributes(settings), maxAge: seconds })
}

export function clearOwnCookie(reply: FastifyReply, settings: Settings, name: OwnCookie): void {
  void reply.clearCookie(sentName(name, settings), attributes(settings))
}
