/**
 * Who is calling: the access cookie is verified once per token, what the user may do is read once per session
 * and kept until PostgreSQL tells that it changed.
 */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { Capabilities } from '@wakestone/contract/capabilities'
import type { Context } from '#src/context.ts'
import { createToldCache } from '#src/db/told-cache.ts'
import { findApiKey, findSessionUser } from '#src/features/accounts/sign-in/service.ts'
import { createActivity } from './activity.ts'
import { createKeyCallers, type KnownKey } from './api-key-callers.ts'

type Caller = {
  userId: string
  username: string
  language: 'en' | 'pl' | 'de'
  countryCode: string
  emailVerified: boolean
  /** Capabilities on the whole product; those of an API key's owner only as far as the key's scopes go. */
  capabilities: Capabilities
  /** The administrator who sees the panel as this user, until `until` (ISO 8601). */
  actor?: { userId: string; username: string; sessionId: string; until: string }
}
export type SessionPrincipal = Caller & { sessionId: string; apiKey?: undefined }
export type KeyPrincipal = Caller & {
  sessionId?: undefined
  apiKey: { id: string; hint: string; scopes: Capabilities }
}
export type Principal = SessionPrincipal | KeyPrincipal

/** By which a caller is found again. */
export type CallerMark = { sessionId: string; apiKey?: undefined } | { sessionId?: undefined; apiKey: { id: string } }

export const accessSeconds = 15 * 60
const audience = 'wakestone-session'
const tokensKept = 50_000

export type Principals = {
  /** Signs an access token for a session, for 15 minutes unless `seconds` says otherwise. */
  issue(session: { sessionId: string; userId: string }, seconds?: number): Promise<string>
  /** The caller behind an access token; undefined when it is forged, expired or its session has ended. */
  find(token: string): Promise<SessionPrincipal | undefined>
  /** The caller behind an API key; `createKeyCallers` says what is thrown. */
  findByKey(given: { key: string; ip: string }): Promise<KeyPrincipal>
  /** The caller of a session or API key, read anew: for what outlives the request that began it. */
  findAgain(caller: CallerMark): Promise<Principal | undefined>
  /** Calls back when a user's rights, sessions or keys changed; undefined: anybody's may have, messages were lost. */
  onChange(listener: (userId: string | undefined) => void): () => void
  /** Until all that was committed before is no longer kept. */
  caughtUp(): Promise<void>
  /** Writes last activity now instead of within 30 seconds. */
  writeActivity(): Promise<void>
  close(): Promise<void>
}

export async function createPrincipals(context: Context): Promise<Principals> {
  const privateKey = createPrivateKey(context.secrets.session.privateKey)
  const publicKey = createPublicKey(context.secrets.session.publicKey)
  const tokens = new Map<string, { sessionId: string; userId: string; expires: number }>()
  const listeners = new Set<(userId: string | undefined) => void>()
  const activity = createActivity(context)
  const isTold = (): boolean => channel.connected()
  const sessions = createToldCache<SessionPrincipal>(isTold)
  const keys = createToldCache<KnownKey>(isTold)

  const channel = await context.channels.listen('access_changed', {
    onMessage(userId) {
      for (const cache of [sessions, keys]) cache.forgetWhere((known) => known.userId === userId)
      for (const listener of listeners) listener(userId)
    },
    onReconnect() {
      for (const cache of [sessions, keys]) cache.clear() // what was said meanwhile is lost
      for (const listener of listeners) listener(undefined)
    },
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
      if (tokens.size >= tokensKept) tokens.clear()
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
      const caller = await sessions.find(verified.sessionId, () => findSessionUser(context.db, verified.sessionId))
      if (caller !== undefined && caller.actor === undefined) activity.note(caller.userId)
      return caller
    },
    findByKey: createKeyCallers(context, keys),
    findAgain: async ({ sessionId, apiKey }) =>
      apiKey === undefined
        ? findSessionUser(context.db, sessionId)
        : (await findApiKey(context.db, { id: apiKey.id }))?.principal,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    caughtUp: () => channel.caughtUp(),
    writeActivity: () => activity.write(),
    async close() {
      await activity.close()
      await channel.close()
    },
  }
}
