import { type Selectable, sql } from 'kysely'
import type { WebsiteContent } from '@wakestone/contract/websites/content'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { Craftums } from '#src/db/types.gen.ts'
import { withdrawnAt } from '#src/db/withdrawn.ts'

/** A website that is there, with its name and what is known of the service that pays for it. */
export type WebsiteRow = Selectable<Craftums> & {
  subdomain: string
  /** Of its owner's own, where that leads here. */
  own_domain: string | null
  product_id: string
  expires: Date | null
  auto_renew: boolean
  bill_overdue_since: Date | null
  owner_suspended: boolean
  published_at: Date | null
  withdrawn_at: Date | null
}

const selectWebsites = (db: Handle) =>
  db
    .selectFrom('craftums')
    .innerJoin('services', 'services.id', 'craftums.service_id')
    .innerJoin('craftum_names', 'craftum_names.craftum_id', 'craftums.id')
    .innerJoin('users', 'users.id', 'craftums.owner_id')
    .leftJoin('craftum_versions as published', (join) =>
      join
        .onRef('published.craftum_id', '=', 'craftums.id')
        .onRef('published.version', '=', 'craftums.published_version'),
    )
    .leftJoin('craftum_domains as own', (join) =>
      join
        .onRef('own.craftum_id', '=', 'craftums.id')
        .on('own.proved_at', 'is not', null)
        .on('own.leads_here', '=', true),
    )
    .selectAll('craftums')
    .select('own.fqdn as own_domain')
    .select(['services.product_id', 'services.expires', 'services.auto_renew', 'services.bill_overdue_since'])
    .select(['craftum_names.name as subdomain', 'published.created_at as published_at'])
    .select(sql<boolean>`users.suspended_at is not null`.as('owner_suspended'))
    .select(sql<Date | null>`${sql.raw(withdrawnAt)}`.as('withdrawn_at'))
    .where('craftums.deleted_at', 'is', null)

export function findWebsite(db: Handle, id: string): Promise<WebsiteRow | undefined> {
  return selectWebsites(db).where('craftums.id', '=', id).executeTakeFirst()
}

export function findWebsiteOfService(db: Handle, serviceId: string): Promise<WebsiteRow | undefined> {
  return selectWebsites(db).where('craftums.service_id', '=', serviceId).executeTakeFirst()
}

export function findWebsiteByName(db: Handle, name: string): Promise<WebsiteRow | undefined> {
  return selectWebsites(db).where('craftum_names.name', '=', name).executeTakeFirst()
}

/** By a domain of its owner's own, which is proved. */
export function findWebsiteByDomain(db: Handle, fqdn: string): Promise<WebsiteRow | undefined> {
  return selectWebsites(db)
    .where('craftums.id', '=', (row) =>
      row
        .selectFrom('craftum_domains')
        .select('craftum_id')
        .where('fqdn', '=', fqdn)
        .where('proved_at', 'is not', null),
    )
    .executeTakeFirst()
}

/** Oldest first. */
export function selectWebsitesOf(db: Handle, userId: string): Promise<WebsiteRow[]> {
  return selectWebsites(db).where('craftums.owner_id', '=', userId).orderBy('craftums.id').execute()
}

/** Waits for whoever else changes it. */
export function lockWebsite(trx: Transaction, id: string) {
  return trx
    .selectFrom('craftums')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function insertWebsite(
  trx: Transaction,
  website: { id: string; serviceId: string; ownerId: string; name: string; draft: WebsiteContent },
): Promise<void> {
  await trx
    .insertInto('craftums')
    .values({
      id: website.id,
      service_id: website.serviceId,
      owner_id: website.ownerId,
      name: website.name,
      draft: JSON.stringify(website.draft),
    })
    .execute()
}

/**
 * Takes a free name, one whose reservation has passed, or one that this user gave up.
 * @returns false when it is somebody's.
 */
export async function takeName(
  trx: Transaction,
  { name, userId, websiteId }: { name: string; userId: string; websiteId: string },
): Promise<boolean> {
  const { rows } = await sql`
    insert into craftum_names (name, user_id, craftum_id) values (${name}, ${userId}, ${websiteId})
    on conflict (name) do update set user_id = excluded.user_id, craftum_id = excluded.craftum_id, reserved_until = null
      where craftum_names.craftum_id is null
        and (craftum_names.reserved_until < now() or craftum_names.user_id = excluded.user_id)
    returning name`.execute(trx)
  return rows.length === 1
}

/** Whether somebody else holds a name, or has until lately. */
export async function isNameTaken(db: Handle, name: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('craftum_names')
    .select('name')
    .where('name', '=', name)
    .where((one) =>
      one.or([
        one('craftum_id', 'is not', null),
        one.and([one('reserved_until', '>', sql<Date>`now()`), one('user_id', '<>', userId)]),
      ]),
    )
    .executeTakeFirst()
  return row !== undefined
}

export async function updateWebsite(
  trx: Transaction,
  id: string,
  change: Partial<{ name: string; published_version: number | null; cleanup_date: Date | null }>,
): Promise<void> {
  if (Object.keys(change).length > 0) await trx.updateTable('craftums').set(change).where('id', '=', id).execute()
}

/** @returns the revision that the draft has then. */
export async function saveDraft(trx: Transaction, id: string, draft: WebsiteContent): Promise<number> {
  const { revision } = await trx
    .updateTable('craftums')
    .set((row) => ({ draft: JSON.stringify(draft), revision: row('revision', '+', 1), saved_at: sql<Date>`now()` }))
    .where('id', '=', id)
    .returning('revision')
    .executeTakeFirstOrThrow()
  return revision
}

/** @returns the version that was made, the next one of this website. */
export async function insertVersion(
  trx: Transaction,
  { id, content }: { id: string; content: WebsiteContent },
): Promise<{ version: number; created_at: Date }> {
  const { rows } = await sql<{ version: number; created_at: Date }>`
    insert into craftum_versions (craftum_id, version, content)
    select ${id}, coalesce(max(version), 0) + 1, ${JSON.stringify(content)}::jsonb from craftum_versions where craftum_id = ${id}
    returning version, created_at`.execute(trx)
  const [made] = rows
  if (made === undefined) throw new Error('no version was made')
  return made
}

/** Leaves the newest ones. What is published is always among them. */
export async function dropOldVersions(trx: Transaction, id: string, kept: number): Promise<void> {
  await sql`
    delete from craftum_versions where craftum_id = ${id} and version <= (
      select max(version) - ${kept} from craftum_versions where craftum_id = ${id}
    )`.execute(trx)
}

/** Newest first. */
export function selectVersions(db: Handle, id: string) {
  return db
    .selectFrom('craftum_versions')
    .select(['version', 'created_at'])
    .select([
      sql<number>`jsonb_array_length(content -> 'pages')`.as('pages'),
      sql<number>`(select sum(jsonb_array_length(page -> 'blocks')) from jsonb_array_elements(content -> 'pages') page)::int`.as(
        'blocks',
      ),
    ])
    .where('craftum_id', '=', id)
    .orderBy('version', 'desc')
    .execute()
}

export function findVersion(db: Handle, id: string, version: number) {
  return db
    .selectFrom('craftum_versions')
    .selectAll()
    .where('craftum_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
}

/** Deletes what is in a website; nobody but its owner takes its name before `until`. */
export async function emptyWebsite(trx: Transaction, id: string, { now, until }: { now: Date; until: Date }) {
  await trx
    .updateTable('craftums')
    .set({ published_version: null, draft: null, deleted_at: now, cleanup_date: null })
    .where('id', '=', id)
    .execute()
  await trx.deleteFrom('craftum_versions').where('craftum_id', '=', id).execute()
  await trx.deleteFrom('craftum_domains').where('craftum_id', '=', id).execute()
  await trx.deleteFrom('craftum_images').where('craftum_id', '=', id).execute()
  await trx
    .updateTable('craftum_names')
    .set({ craftum_id: null, reserved_until: until })
    .where('craftum_id', '=', id)
    .execute()
}

/** Services of websites that ended before `before`, and those of which something is due to be deleted by now. */
export function selectEndedWebsites(db: Handle, { before, now }: { before: Date; now: Date }) {
  return db
    .selectFrom('craftums')
    .innerJoin('services', 'services.id', 'craftums.service_id')
    .select('services.id')
    .where('craftums.deleted_at', 'is', null)
    .where('services.ended_at', 'is', null)
    .where('services.expires', '<=', now)
    .where((row) => row.or([row('services.expires', '<=', before), row('craftums.cleanup_date', '<=', now)]))
    .orderBy('services.expires')
    .orderBy('services.id')
    .execute()
}

/** Servers of a user by id: which of these are theirs and are there. */
/** The one that most likely is meant: whoever has several chooses in the editor. */
export async function findFirstServer(db: Handle, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('servers')
    .select('id')
    .where('owner_id', '=', userId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

export async function findOwnServers(db: Handle, userId: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('servers')
    .select('id')
    .where('id', 'in', ids)
    .where('owner_id', '=', userId)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}
