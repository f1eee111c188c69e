/** The cookies of a session, and the one that keeps a visitor's feature flags the same. */
import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '@wakestone/contract/errors'
import type { Settings } from '@wakestone/kit/settings'
import { type LoginOutcome, refreshSeconds, type SessionTokens } from '#src/features/accounts/sign-in/service.ts'
import { clearOwnCookie, setOwnCookie } from './own-cookies.ts'
import { accessSeconds, type Principals } from './principal.ts'

export const accessCookie = 'ws_access'
export const refreshCookie = 'ws_refresh'
/** Beside an administrator's own session: the one in which they see the panel as somebody else. */
export const viewAsCookie = 'ws_view_as'

/** Sets the cookies of a session on an answer. Without a new refresh token the browser keeps the one it has. */
export async function setSessionCookies(
  reply: FastifyReply,
  { settings, principals }: { settings: Settings; principals: Principals },
  session: { sessionId: string; userId: string; refreshToken: string | undefined },
): Promise<void> {
  const access = await principals.issue(session)
  setOwnCookie(reply, settings, { name: accessCookie, value: access, seconds: accessSeconds })
  if (session.refreshToken !== undefined)
    setOwnCookie(reply, settings, { name: refreshCookie, value: session.refreshToken, seconds: refreshSeconds })
}

export function clearSessionCookies(reply: FastifyReply, settings: Settings): void {
  for (const name of [accessCookie, refreshCookie, viewAsCookie] as const) clearOwnCookie(reply, settings, name)
}

/** Has the panel shown as another user, until that session's end; the administrator's own cookies stay as they are. */
export async function setViewAsCookie(
  reply: FastifyReply,
  { settings, principals }: { settings: Settings; principals: Principals },
  session: { sessionId: string; userId: string; seconds: number },
): Promise<void> {
  const value = await principals.issue(session, session.seconds)
  setOwnCookie(reply, settings, { name: viewAsCookie, value, seconds: session.seconds })
}

export function clearViewAsCookie(reply: FastifyReply, settings: Settings): void {
  clearOwnCookie(reply, settings, viewAsCookie)
}

/** Binds a login that waits for its second step to the browser. */
export const loginChallengeCookie = 'ws_login'
/** Binds what an authenticator was asked to the browser, while nobody is signed in. */
export const passkeyCookie = 'ws_passkey'

/**
 * Gives a browser its session after the first step of a login; or, where a second one is asked, what that needs.
 * @throws DomainError `second_factor_required`, with the kinds there are.
 */
export async function answerLogin(
  reply: FastifyReply,
  cookies: { settings: Settings; principals: Principals },
  outcome: LoginOutcome,
  fields: { from?: string } = {},
): Promise<SessionTokens> {
  if (outcome.kind === 'challenge') {
    setOwnCookie(reply, cookies.settings, { name: loginChallengeCookie, value: outcome.browser, seconds: 10 * 60 })
    throw new DomainError('second_factor_required', { ...outcome.factors, ...fields })
  }
  await setSessionCookies(reply, cookies, outcome.tokens)
  return outcome.tokens
}

export function clearLoginChallenge(reply: FastifyReply, settings: Settings): void {
  clearOwnCookie(reply, settings, loginChallengeCookie)
}

export function setPasskeyCookie(reply: FastifyReply, settings: Settings, value: string): void {
  setOwnCookie(reply, settings, { name: passkeyCookie, value, seconds: 5 * 60 })
}

/** Binds a way to Discord and back to the browser that goes it. */
export const discordCookie = 'ws_discord'

export function setDiscordCookie(reply: FastifyReply, settings: Settings, value: string): void {
  setOwnCookie(reply, settings, { name: discordCookie, value, seconds: 30 * 60 })
}

const visitorCookie = 'ws_visitor'
const visitorSeconds = 365 * 24 * 3600

/** The random key of a visitor, if they were given one. */
export function readVisitorKey(request: FastifyRequest): string | undefined {
  const key = request.cookies[visitorCookie]
  return key !== undefined && /^[\w-]{22}$/.test(key) ? key : undefined
}

export function giveVisitorKey(reply: FastifyReply, settings: Settings): string {
  const key = randomBytes(16).toString('base64url')
  setOwnCookie(reply, settings, { name: visitorCookie, value: key, seconds: visitorSeconds })
  return key
}
