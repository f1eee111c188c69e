import { type Selectable, sql } from 'kysely'
import { lookOf } from '@wakestone/contract/validation'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { DomainClaims, Domains } from '#src/db/types.gen.ts'

export type DomainRow = Selectable<Domains>
export type ClaimRow = Selectable<DomainClaims>

const now = sql<Date>`now()`

/** The primary one first, then by age. */
export function selectDomainsOf(db: Handle, serverId: string): Promise<DomainRow[]> {
  return db
    .selectFrom('domains')
    .selectAll()
    .where('server_id', '=', serverId)
    .orderBy(sql`kind = 'primary'`, 'desc')
    .orderBy('id')
    .execute()
}

export function selectClaimsOf(db: Handle, serverId: string): Promise<ClaimRow[]> {
  return db.selectFrom('domain_claims').selectAll().where('server_id', '=', serverId).orderBy('id').execute()
}

/** Names that nobody but this user may take now, the latest first. */
export function selectReserved(db: Handle, userId: string, zoneName: string, limit: number) {
  return db
    .selectFrom('domains')
    .select(['fqdn', 'sub_domain', 'reserved_until'])
    .where('user_id', '=', userId)
    .where('zone_name', '=', zoneName)
    .where('server_id', 'is', null)
    .where('generated', '=', false)
    .where('reserved_until', '>', now)
    .orderBy('reserved_until', 'desc')
    .limit(limit)
    .execute()
}

export async function writeKind(trx: Transaction, domainId: string, kind: DomainRow['kind']): Promise<void> {
  await trx.updateTable('domains').set({ kind, updated_at: now }).where('id', '=', domainId).execute()
}

/** A name of ours is kept from others until then; a domain of its owner's is simply gone. */
export async function releaseDomain(trx: Transaction, { id, external }: DomainRow, until: Date): Promise<void> {
  if (external) await trx.deleteFrom('domains').where('id', '=', id).execute()
  else
    await trx
      .updateTable('domains')
      .set({ server_id: null, kind: 'secondary', reserved_until: until, updated_at: now })
      .where('id', '=', id)
      .execute()
}

type Claim = { serverId: string; userId: string; fqdn: string; proof: string }

/** @returns undefined when the server claims it already */
export function insertClaim(trx: Transaction, { serverId, userId, fqdn, proof }: Claim): Promise<ClaimRow | undefined> {
  return trx
    .insertInto('domain_claims')
    .values({ server_id: serverId, user_id: userId, fqdn, proof })
    .onConflict((conflict) => conflict.columns(['server_id', 'fqdn']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function deleteClaim(trx: Transaction, id: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('domain_claims').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

export function findDomainByName(trx: Transaction, fqdn: string): Promise<DomainRow | undefined> {
  return trx.selectFrom('domains').selectAll().where('fqdn', '=', fqdn).forUpdate().executeTakeFirst()
}

/** A claim that was proved becomes a name of the server. */
export function insertProvedDomain(
  trx: Transaction,
  { server_id, user_id, fqdn, proof }: ClaimRow,
): Promise<DomainRow> {
  const [label = '', ...zone] = fqdn.split('.')
  return trx
    .insertInto('domains')
    .values({
      server_id,
      user_id,
      kind: 'secondary',
      fqdn,
      sub_domain: label,
      zone_name: zone.join('.'),
      look: lookOf(label),
      external: true,
      proof,
      checked_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Whose name it is, and which game is played there; `game` null: nobody's. */
export type DueDomain = DomainRow & { game: string | null }

/**
 * Takes the name whose records are due first; nobody else does for so many seconds, within which the work has to be
 * done or given up.
 */
export async function takeDueDomain(
  db: Handle,
  { external, leaseSeconds }: { external: boolean; leaseSeconds: number },
): Promise<DueDomain | undefined> {
  const { rows } = await sql<DueDomain>`
    update domains set look_at = now() + ${leaseSeconds} * interval '1 second'
    where id = (select id from domains where look_at <= now() and external = ${external}
      order by look_at limit 1 for update skip locked)
    returning *, (select game from servers where servers.id = domains.server_id and deleted_at is null) as game`.execute(
    db,
  )
  return rows[0]
}

export async function takeDueClaim(db: Handle, leaseSeconds: number): Promise<ClaimRow | undefined> {
  const { rows } = await sql<ClaimRow>`
    update domain_claims set look_at = now() + ${leaseSeconds} * interval '1 second'
    where id = (select id from domain_claims where look_at <= now() order by look_at limit 1 for update skip locked)
    returning *`.execute(db)
  return rows[0]
}

export type Look = {
  /** Undefined: what was known of them stands. */
  areRight?: boolean
  error: string | null
  nextSeconds: number
  proofMissing?: boolean
}

/**
 * Writes what came of a look at the records of a name, unless it has changed hands meanwhile: then another look is due
 * already.
 */
export async function writeLook(
  db: Handle,
  { id, records_wanted }: Pick<DomainRow, 'id' | 'records_wanted'>,
  { areRight, error, nextSeconds, proofMissing }: Look,
): Promise<void> {
  await db
    .updateTable('domains')
    .set({
      ...(areRight !== undefined && { records_done: areRight ? records_wanted : 0 }),
      ...(proofMissing === true && { proof_missing_since: sql<Date>`coalesce(proof_missing_since, now())` }),
      ...(proofMissing === false && { proof_missing_since: null }),
      records_error: error,
      checked_at: now,
      look_at: sql<Date>`now() + ${nextSeconds} * interval '1 second'`,
    })
    .where('id', '=', id)
    .where('records_wanted', '=', records_wanted)
    .execute()
}

export async function writeClaimLook(db: Handle, id: string, error: string | null, nextSeconds: number): Promise<void> {
  await db
    .updateTable('domain_claims')
    .set({ error, checked_at: now, look_at: sql<Date>`now() + ${nextSeconds} * interval '1 second'` })
    .where('id', '=', id)
    .execute()
}

/** Has the records of these names set anew. */
export async function distrustRecords(db: Handle, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('domains')
    .set({ records_done: 0, look_at: now })
    .where('id', 'in', [...ids])
    .execute()
}

/** All names of our zones whose records were set, by pages. */
export function selectSettledDomains(db: Handle, after: string, limit: number): Promise<DueDomain[]> {
  return db
    .selectFrom('domains')
    .leftJoin('servers', (join) =>
      join.onRef('servers.id', '=', 'domains.server_id').on('servers.deleted_at', 'is', null),
    )
    .selectAll('domains')
    .select('servers.game')
    .where('domains.external', '=', false)
    .whereRef('domains.records_done', '=', 'domains.records_wanted')
    .where('domains.id', '>', after)
    .orderBy('domains.id')
    .limit(limit)
    .execute()
}
