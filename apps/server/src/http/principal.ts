/**
 * Who is calling: the access cookie is verified once per token, what the user may do is read once per session
 * and kept until PostgreSQL tells that it changed.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { Capabilities } from '@wakestone/contract/capabilities'
import type { Context } from '#src/context.ts'
import { listen } from '#src/db/listen.ts'
import { findSessionUser } from '#src/features/users/service.ts'

export type Principal = {
  userId: string
  sessionId: string
  username: string
  language: 'en' | 'pl' | 'de'
  countryCode: string
  emailVerified: boolean
  /** Capabilities on the whole product. */
  capabilities: Capabilities
  /** The administrator who sees the panel as this user, until `until` (ISO 8601). */
  actor?: { userId: string; username: string; sessionId: string; until: string }
}

export const accessSeconds = 15 * 60
const audience = 'wakestone-session'
const cacheLimit = 50_000

export type Principals = {
  /** Signs an access token for a session, for 15 minutes unless `seconds` says otherwise. */
  issue(session: { sessionId: string; userId: string }, seconds?: number): Promise<string>
  /** The caller behind an access token; undefined when it is forged, expired or its session has ended. */
  find(token: string): Promise<Principal | undefined>
  /** The caller of a session, read anew: for sockets, which outlive the token that opened them. */
  findSession(sessionId: string): Promise<Principal | undefined>
  /** Calls back when a user's rights or sessions changed. */
  onChange(listener: (userId: string) => void): () => void
  close(): Promise<void>
}

export async function createPrincipals(context: Context): Promise<Principals> {
  const privateKey = createPrivateKey(context.secrets.session.privateKey)
  const publicKey = createPublicKey(context.secrets.session.publicKey)
  const tokens = new Map<string, { sessionId: string; userId: string; expires: number }>()
  const principals = new Map<string, Principal>()
  const listeners = new Set<(userId: string) => void>()

  const forget = (userId: string) => {
    for (const [sessionId, principal] of principals) if (principal.userId === userId) principals.delete(sessionId)
    for (const listener of listeners) listener(userId)
  }
  const channel = await listen({
    url: context.databaseUrl,
    channel: 'access_changed',
    logger: context.logger,
    onMessage: forget,
    onReconnect: () => principals.clear(), // what was said meanwhile is lost
  })

  async function verify(token: string) {
    const known = tokens.get(token)
    if (known !== undefined) {
      if (known.expires > Date.now()) return known
      tokens.delete(token)
      return undefined
    }
    try {
      const { payload } = await jwtVerify(token, publicKey, { audience, algorithms: ['EdDSA'] })
      const verified = {
        sessionId: String(payload['sid']),
        userId: String(payload.sub),
        expires: (payload.exp ?? 0) * 1000,
      }
      if (tokens.size >= cacheLimit) tokens.clear()
      tokens.set(token, verified)
      return verified
    } catch {
      return undefined
    }
  }

  return {
    issue: ({ sessionId, userId }, seconds = accessSeconds) =>
      new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'EdDSA' })
        .setSubject(userId)
        .setAudience(audience)
        .setIssuedAt()
        .setJti(crypto.randomUUID())
        .setExpirationTime(`${seconds} s`)
        .sign(privateKey),
    async find(token) {
      const verified = await verify(token)
      if (verified === undefined) return undefined
      const known = channel.connected() ? principals.get(verified.sessionId) : undefined
      if (known !== undefined) return known
      const principal = await findSessionUser(context.db, verified.sessionId)
      if (principal === undefined) return undefined
      if (principals.size >= cacheLimit) principals.clear()
      principals.set(verified.sessionId, principal)
      return principal
    },
    findSession: (sessionId) => findSessionUser(context.db, sessionId),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    close: () => channel.close(),
  }
}
