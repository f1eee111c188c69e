import { type Selectable, sql } from 'kysely'
import { lookOf } from '@wakestone/contract/validation'
import type { Handle, Transaction } from '#src/db/client.ts'
import type { Domains } from '#src/db/types.gen.ts'

export type DomainRow = Selectable<Domains>

export type NewDomain = {
  serverId: string
  userId: string
  subDomain: string
  zoneName: string
  kind?: DomainRow['kind']
  /** Made up by us. */
  generated?: boolean
}

/**
 * Takes a free address, one whose reservation has passed, or one that this user gave up.
 * @returns undefined when it is somebody's.
 */
export async function takeDomain(
  trx: Transaction,
  { serverId, userId, subDomain, zoneName, kind = 'primary', generated = false }: NewDomain,
): Promise<DomainRow | undefined> {
  const { rows } = await sql<DomainRow>`
    insert into domains (server_id, user_id, kind, fqdn, sub_domain, zone_name, generated, look)
    values (${serverId}, ${userId}, ${kind}, ${`${subDomain}.${zoneName}`}, ${subDomain}, ${zoneName}, ${generated}, ${lookOf(subDomain)})
    on conflict (fqdn) do update set server_id = excluded.server_id, user_id = excluded.user_id, kind = excluded.kind,
        generated = excluded.generated, reserved_until = null, updated_at = now()
      where domains.server_id is null and (domains.reserved_until < now() or domains.user_id = excluded.user_id)
    returning *`.execute(trx)
  return rows[0]
}

/** Gives the addresses of a server up; nobody but its owner takes them before `until`. Domains of its owner's are not ours to reserve. */
export async function releaseDomainsOf(trx: Transaction, serverId: string, until: Date): Promise<void> {
  await trx.deleteFrom('domains').where('server_id', '=', serverId).where('external', '=', true).execute()
  await trx
    .updateTable('domains')
    .set({ server_id: null, reserved_until: until, updated_at: sql<Date>`now()` })
    .where('server_id', '=', serverId)
    .execute()
}

/** The address as it is held or reserved now. */
export function findTakenDomain(db: Handle, fqdn: string): Promise<{ server_id: string | null } | undefined> {
  return db
    .selectFrom('domains')
    .select('server_id')
    .where('fqdn', '=', fqdn)
    .where((domain) =>
      domain.or([domain('server_id', 'is not', null), domain('reserved_until', '>', sql<Date>`now()`)]),
    )
    .executeTakeFirst()
}

/** Whether another customer's server has a name in this zone that looks the same and is another one. */
export async function hasLookAlike(
  db: Handle,
  { subDomain, zoneName, userId }: Pick<NewDomain, 'subDomain' | 'zoneName' | 'userId'>,
): Promise<boolean> {
  const found = await db
    .selectFrom('domains')
    .select('id')
    .where('zone_name', '=', zoneName)
    .where('look', '=', lookOf(subDomain))
    .where('sub_domain', '<>', subDomain)
    .where('user_id', '<>', userId)
    .where('server_id', 'is not', null)
    .where('external', '=', false)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
/** Addresses that hold a text in lower case, the one that it is first. */
export function selectDomainsByText(db: Handle, text: string, limit: number) {
  return db
    .with('found', (found) =>
      found
        .selectFrom('domains')
        .selectAll()
        .where((row) => row.or([row('fqdn', '=', text), row('fqdn', 'like', `%${text.replace(/[\\%_]/g, '\\$&')}%`)]))
        .limit(200),
    )
    .selectFrom('found')
    .selectAll()
    .orderBy((row) => row.or([row('fqdn', '=', text), row('sub_domain', '=', text)]), 'desc')
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
}

/** The domain of this id, or those of the server of this id. */
export function selectDomainsById(db: Handle, id: string) {
  return db
    .selectFrom('domains')
    .selectAll()
    .where((row) => row.or([row('id', '=', id), row('server_id', '=', id)]))
    .execute()
}
