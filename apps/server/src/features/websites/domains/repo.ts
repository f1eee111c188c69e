import { type Selectable, sql } from 'kysely'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { CraftumDomains } from '#src/db/types.gen.ts'

export type DomainRow = Selectable<CraftumDomains>
/** With whose it is. */
export type DueDomain = DomainRow & { owner_id: string; website: string; subdomain: string }

export function findDomainOf(db: Handle, websiteId: string): Promise<DomainRow | undefined> {
  return db.selectFrom('craftum_domains').selectAll().where('craftum_id', '=', websiteId).executeTakeFirst()
}

/** Whoever has proved it. */
export function findProved(db: Handle, fqdn: string): Promise<DomainRow | undefined> {
  return db
    .selectFrom('craftum_domains')
    .selectAll()
    .where('fqdn', '=', fqdn)
    .where('proved_at', 'is not', null)
    .executeTakeFirst()
}

export async function listServed(db: Handle): Promise<string[]> {
  const rows = await db
    .selectFrom('craftum_domains')
    .select('fqdn')
    .where('proved_at', 'is not', null)
    .where('leads_here', '=', true)
    .execute()
  return rows.map(({ fqdn }) => fqdn)
}

export async function putClaim(trx: Transaction, claim: { websiteId: string; fqdn: string; proof: string }) {
  await deleteDomain(trx, claim.websiteId)
  return trx
    .insertInto('craftum_domains')
    .values({ craftum_id: claim.websiteId, fqdn: claim.fqdn, proof: claim.proof })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteDomain(trx: Handle, websiteId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('craftum_domains')
    .where('craftum_id', '=', websiteId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function writeLook(
  db: Handle,
  { craftum_id, fqdn }: Pick<DomainRow, 'craftum_id' | 'fqdn'>,
  look: Partial<Pick<DomainRow, 'proved_at' | 'proof_missing_since' | 'leads_here'>> & {
    error: string | null
    nextSeconds: number
  },
): Promise<void> {
  const { nextSeconds, ...found } = look
  await db
    .updateTable('craftum_domains')
    .set({ ...found, checked_at: sql`now()`, look_at: sql`now() + ${nextSeconds} * interval '1 second'` })
    .where('craftum_id', '=', craftum_id)
    // Another domain may stand in its place by now.
    .where('fqdn', '=', fqdn)
    .execute()
}

const withOwner = sql`
  select domains.*, craftums.owner_id, craftums.name as website, craftum_names.name as subdomain
  from craftum_domains domains
  join craftums on craftums.id = domains.craftum_id
  join craftum_names on craftum_names.craftum_id = craftums.id`

export async function findWithOwner(db: Handle, websiteId: string): Promise<DueDomain | undefined> {
  const { rows } = await sql<DueDomain>`${withOwner} where domains.craftum_id = ${websiteId}`.execute(db)
  return rows[0]
}

/** For one worker, as long as the lease lasts. */
export async function takeDue(db: Handle, leaseSeconds: number): Promise<DueDomain | undefined> {
  const { rows } = await sql<{ craftum_id: string }>`
    update craftum_domains set look_at = now() + ${leaseSeconds} * interval '1 second'
    where craftum_id = (
      select craftum_id from craftum_domains where look_at <= now() order by look_at limit 1 for update skip locked
    )
    returning craftum_id`.execute(db)
  return rows[0] === undefined ? undefined : findWithOwner(db, rows[0].craftum_id)
}
