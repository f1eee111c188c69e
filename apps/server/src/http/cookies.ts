/** The cookies of a session. */
import type { FastifyReply } from 'fastify'
import { publicUrl, type Settings } from '@wakestone/kit/settings'
import { accessSeconds, type Principals } from './principal.ts'

export const accessCookie = 'ws_access'
export const refreshCookie = 'ws_refresh'
export const refreshSeconds = 30 * 24 * 3600

/** Sets the cookies of a session on an answer. Without a new refresh token the browser keeps the one it has. */
export async function setSessionCookies(
  reply: FastifyReply,
  { settings, principals }: { settings: Settings; principals: Principals },
  session: { sessionId: string; userId: string; refreshToken: string | undefined },
): Promise<void> {
  const shared = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: publicUrl(settings).startsWith('https:'),
  } as const
  void reply.setCookie(accessCookie, await principals.issue(session), { ...shared, maxAge: accessSeconds })
  if (session.refreshToken !== undefined)
    void reply.setCookie(refreshCookie, session.refreshToken, { ...shared, maxAge: refreshSeconds })
}

export function clearSessionCookies(reply: FastifyReply): void {
  void reply.clearCookie(accessCookie, { path: '/' }).clearCookie(refreshCookie, { path: '/' })
}
