/** SSH keys: added and removed by their owner. */
import type { z } from 'zod'
import { type createSshKeyBody, readSshKey, type SshKey, sshKeyLimits } from '@wakestone/contract/accounts/ssh-key'
import { DomainError } from '@wakestone/contract/errors'
import { fingerprintOf } from '@wakestone/kit/ssh-host-keys'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { lockUser } from '#src/features/accounts/users/service.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { notify } from '#src/features/ground/notifications/service.ts'
import { insertSshKey, removeSshKey, selectSshKeys, type SshKeyRow } from './repo.ts'

export { findSshKey, removeSshKeysOf } from './repo.ts'

type Deps = Pick<Context, 'db'>

export async function listSshKeysOf({ db }: Deps, userId: string): Promise<SshKey[]> {
  return (await selectSshKeys(db, userId)).map(describe)
}

/**
 * Adds a key and tells its owner, who might not be the one who did.
 * @throws DomainError `resource_already_exists`; `too_many_requests` with `limit` when the user has as many as one may.
 */
export async function addSshKey(
  { db }: Deps,
  { userId, ip }: { userId: string; ip: string },
  body: z.output<typeof createSshKeyBody>,
): Promise<SshKey> {
  const key = readSshKey(body.public_key)
  if (key === undefined) throw new DomainError('invalid_request', { public_key: 'ssh_key' })
  const publicKey = Buffer.from(key.bytes)
  return inTransaction(db, async (trx) => {
    await lockUser(trx, userId) // so that no two are counted at once
    if ((await selectSshKeys(trx, userId)).length >= sshKeyLimits.perUser)
      throw new DomainError('too_many_requests', { resource: 'ssh_key', limit: sshKeyLimits.perUser })
    const facts = { name: body.name, fingerprint: fingerprintOf(publicKey) }
    const row = await insertSshKey(trx, { userId, algorithm: key.algorithm, publicKey, ...facts })
    if (row === undefined) throw new DomainError('resource_already_exists', { resource: 'ssh_key' })
    const eventId = await recordUserEvent(trx, userId, { action: 'USER_ADD_SSH_KEY', data: { ...facts, ip } })
    await notify(trx, { userId, kind: 'SSH_KEY_ADDED', fields: { name: body.name }, eventId })
    return describe(row)
  })
}

/** PostgreSQL tells every process that its owner's access has changed. */
export async function deleteSshKey(
  { db }: Deps,
  { userId, keyId, ip }: { userId: string; keyId: string; ip: string },
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const gone = await removeSshKey(trx, { userId, keyId })
    if (gone === undefined) throw new DomainError('resource_not_found', { resource: 'ssh_key' })
    const { name, fingerprint } = gone
    await recordUserEvent(trx, userId, { action: 'USER_REMOVE_SSH_KEY', data: { name, fingerprint, ip } })
  })
}

function describe({ id, name, algorithm, fingerprint, created_at, last_used_at, last_used_ip }: SshKeyRow): SshKey {
  return {
    id,
    name,
    algorithm,
    fingerprint,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
    last_used_ip,
  }
}
