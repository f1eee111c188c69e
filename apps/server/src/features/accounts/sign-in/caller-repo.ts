/** Who is behind a session or an API key, with what they may do on the whole product; one query each. */
import { type Capabilities, restrictCapabilities } from '@wakestone/contract/capabilities'
import type { Language } from '@wakestone/contract/primitives'
import type { Handle } from '#src/db/client.ts'
import type { KeyPrincipal, SessionPrincipal } from '#src/http/principal.ts'

/** Accounts that may act. Whatever shuts one out belongs here, and holds for its sessions and its keys alike. */
function selectCallers(db: Handle) {
  return db
    .selectFrom('users')
    .select(['users.id as userId', 'users.username', 'users.language', 'users.country_code', 'users.email_verified'])
    .select((query) =>
      query
        .selectFrom('held_capabilities')
        .select((held) => held.fn<Capabilities | null>('jsonb_object_agg', ['name', 'value']).as('held'))
        .whereRef('held_capabilities.user_id', '=', 'users.id')
        .as('held'),
    )
    .where('users.destroyed_at', 'is', null)
    .where('users.suspended_at', 'is', null)
}

type CallerRow = {
  userId: string
  username: string
  language: string
  country_code: string
  email_verified: Date | null
  held: Capabilities | null
}

function describe({ userId, username, language, country_code, email_verified, held }: CallerRow) {
  return {
    userId,
    username,
    language: language as Language,
    countryCode: country_code,
    emailVerified: email_verified !== null,
    capabilities: held ?? {},
  }
}

/** The caller of a live session. */
export async function findSessionUser(db: Handle, sessionId: string): Promise<SessionPrincipal | undefined> {
  const row = await selectCallers(db)
    .innerJoin('sessions', 'sessions.user_id', 'users.id')
    .leftJoin('users as actors', 'actors.id', 'sessions.actor_id')
    .leftJoin('sessions as own', 'own.id', 'sessions.actor_session_id')
    .select(['actors.id as actor_id', 'actors.username as actor_name', 'own.id as actor_session_id'])
    .select('sessions.expires_at')
    .where('sessions.id', '=', sessionId)
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', new Date())
    // Whoever sees the panel as this user may still do so.
    .where((query) =>
      query.or([
        query('sessions.actor_id', 'is', null),
        query.and([
          query('own.ended_at', 'is', null),
          query('own.expires_at', '>', new Date()),
          query('actors.suspended_at', 'is', null),
          query('actors.destroyed_at', 'is', null),
        ]),
      ]),
    )
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { actor_id, actor_name, actor_session_id, expires_at } = row
  return {
    ...describe(row),
    sessionId,
    ...(actor_id !== null &&
      actor_name !== null &&
      actor_session_id !== null && {
        actor: {
          userId: actor_id,
          username: actor_name,
          sessionId: actor_session_id,
          until: expires_at.toISOString(),
        },
      }),
  }
}

/** An account that may act, found by its id or by its name however it is written: who is neither a session nor a key. */
export async function findAccount(
  db: Handle,
  account: { id: string } | { username: string },
): Promise<Pick<SessionPrincipal, 'userId' | 'username' | 'capabilities'> | undefined> {
  const row = await selectCallers(db)
    .where((one) =>
      'id' in account
        ? one('users.id', '=', account.id)
        : one((query) => query.fn('lower', ['users.username']), '=', account.username.toLowerCase()),
    )
    .executeTakeFirst()
  return row && describe(row)
}

/** A live API key: its caller, and where and until when it may be used. */
export type FoundApiKey = { principal: KeyPrincipal; addressRanges: string[]; expiresAt: Date | null }

/** The caller of a live API key, by its hash or its id. */
export async function findApiKey(db: Handle, key: { hash: Buffer } | { id: string }): Promise<FoundApiKey | undefined> {
  const row = await selectCallers(db)
    .innerJoin('api_keys', 'api_keys.user_id', 'users.id')
    .select([
      'api_keys.id as key_id',
      'api_keys.hint',
      'api_keys.scopes',
      'api_keys.address_ranges',
      'api_keys.expires_at',
    ])
    .where((one) => ('hash' in key ? one('api_keys.key_hash', '=', key.hash) : one('api_keys.id', '=', key.id)))
    .where((one) => one.or([one('api_keys.expires_at', 'is', null), one('api_keys.expires_at', '>', new Date())]))
    .executeTakeFirst()
  if (row === undefined) return undefined
  const caller = describe(row)
  const scopes = Object.fromEntries(row.scopes.map((scope) => [scope, true]))
  return {
    principal: {
      ...caller,
      capabilities: restrictCapabilities(caller.capabilities, scopes),
      apiKey: { id: row.key_id, hint: row.hint, scopes },
    },
    addressRanges: row.address_ranges,
    expiresAt: row.expires_at,
  }
}
