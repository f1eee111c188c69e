/** Personal API keys: made, listed, changed and revoked by their owner. */
import type { z } from 'zod'
import {
  type ApiKey,
  apiKeyLimits,
  type changeApiKeyBody,
  type createApiKeyBody,
  type NewApiKey,
  scopesOpenTo,
} from '@wakestone/contract/accounts/api-key'
import { DomainError } from '@wakestone/contract/errors'
import type { Settings } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { countryOf } from '#src/features/ground/location/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { lockUser } from '#src/features/accounts/users/service.ts'
import type { SessionPrincipal } from '#src/http/principal.ts'
import { type ApiKeyRow, countApiKeys, insertApiKey, removeApiKey, selectApiKeys, updateApiKey } from './repo.ts'
import { hashApiKey, hintOf, makeApiKey } from './secret.ts'

export { removeApiKeysOf, touchApiKey } from './repo.ts'
export { hashApiKey, isApiKey } from './secret.ts'

type KeyAction = 'USER_CREATE_API_KEY' | 'USER_CHANGE_API_KEY' | 'USER_DELETE_API_KEY'

export async function listApiKeysOf(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  userId: string,
): Promise<ApiKey[]> {
  const rows = await selectApiKeys(db, userId)
  return rows.map((row) => describe(row, settings))
}

/**
 * Makes a key and tells its owner, who might not be the one who made it.
 * @throws DomainError `insufficient_capabilities` for a scope that is not the user's to give;
 *   `too_many_requests` with `limit` when the user has as many keys as one may.
 */
export async function createApiKey(
  context: Context,
  { user, ip }: { user: SessionPrincipal; ip: string },
  body: z.output<typeof createApiKeyBody>,
): Promise<NewApiKey> {
  const open = scopesOpenTo(user.capabilities)
  const foreign = body.scopes.find((scope) => !open.includes(scope))
  if (foreign !== undefined) throw new DomainError('insufficient_capabilities', { scope: foreign })
  const key = makeApiKey()
  const row = await inTransaction(context.db, async (trx) => {
    await lockUser(trx, user.userId) // so that no two are counted at once
    if ((await countApiKeys(trx, user.userId)) >= apiKeyLimits.perUser)
      throw new DomainError('too_many_requests', { resource: 'api_key', limit: apiKeyLimits.perUser })
    const made = await insertApiKey(trx, {
      userId: user.userId,
      name: body.name,
      keyHash: hashApiKey(key),
      hint: hintOf(key),
      scopes: [...new Set(body.scopes)],
      addressRanges: [...new Set(body.address_ranges)],
      expiresAt: body.expires_at === null ? null : new Date(body.expires_at),
    })
    const eventId = await record(trx, 'USER_CREATE_API_KEY', made, ip)
    await notify(trx, { userId: user.userId, kind: 'API_KEY_CREATED', fields: { name: made.name }, eventId })
    return made
  })
  return { ...describe(row, context.settings), key }
}

/** @throws DomainError `resource_not_found` when the user has no such key. */
export async function changeApiKey(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  { userId, keyId, ip }: { userId: string; keyId: string; ip: string },
  body: z.output<typeof changeApiKeyBody>,
): Promise<ApiKey> {
  const row = await inTransaction(db, async (trx) => {
    const changed = await updateApiKey(trx, { userId, keyId }, body)
    if (changed === undefined) throw new DomainError('resource_not_found', { resource: 'api_key' })
    await record(trx, 'USER_CHANGE_API_KEY', changed, ip)
    return changed
  })
  return describe(row, settings)
}

/** Revokes a key: PostgreSQL tells every process that its owner's access has changed. */
export async function deleteApiKey(
  { db }: Pick<Context, 'db'>,
  { userId, keyId, ip }: { userId: string; keyId: string; ip: string },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const gone = await removeApiKey(trx, { userId, keyId })
    if (gone === undefined) throw new DomainError('resource_not_found', { resource: 'api_key' })
    await record(trx, 'USER_DELETE_API_KEY', gone, ip)
  })
}

function record(trx: Transaction, action: KeyAction, key: ApiKeyRow, ip: string): Promise<string> {
  const { name, hint, scopes, address_ranges } = key
  const expires_at = key.expires_at?.toISOString() ?? null
  return recordUserEvent(trx, key.user_id, { action, data: { name, hint, scopes, address_ranges, expires_at, ip } })
}

function describe(row: ApiKeyRow, settings: Settings): ApiKey {
  const { id, name, hint, scopes, address_ranges, created_at, expires_at, last_used_at, last_used_ip } = row
  return {
    id,
    name,
    hint,
    scopes,
    address_ranges,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    last_used_at: last_used_at?.toISOString() ?? null,
    last_used_ip,
    last_used_country: last_used_ip === null ? null : countryOf(last_used_ip, settings),
  }
}
