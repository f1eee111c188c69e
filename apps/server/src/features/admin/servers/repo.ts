import { sql, type SqlBool } from 'kysely'
import type { ServerFlag } from '@wakestone/contract/admin/servers'
import { idSchema } from '@wakestone/contract/primitives'
import type { Handle } from '#src/db/client.ts'

const asPart = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Ids of servers, those that came last first; `count` is of all that fit. */
export async function selectServerIds(
  db: Handle,
  {
    after,
    limit,
    clusterId,
    flag,
    text,
  }: {
    after?: string | undefined
    limit: number
    clusterId?: string | undefined
    flag?: ServerFlag | undefined
    /** In lower case: part of a name or an address, or a whole id. */
    text?: string | undefined
  },
): Promise<{ ids: string[]; count: number }> {
  let all = db.selectFrom('servers').where('deleted_at', 'is', null)
  if (clusterId !== undefined) all = all.where('cluster_id', '=', clusterId)
  if (flag !== undefined) all = all.where(flag, '=', true)
  const part = asPart(text ?? '')
  if (text !== undefined)
    all = all.where(
      // A union, so that each part has its index.
      sql<SqlBool>`id in (
        select id from servers where lower(name) like ${part} and deleted_at is null
        union select server_id from domains where fqdn like ${part} and server_id is not null
        union select servers.id from servers join users on users.id = owner_id
          where lower(username) like ${part} or lower(email) like ${part}
        union select id from servers where id = ${idSchema.safeParse(text).success ? text : null}::uuid)`,
    )
  // Ids are random: what comes after a server was made before it.
  const page =
    after === undefined
      ? all
      : all.where(
          sql<boolean>`(created_at, id) < (select last.created_at, last.id from servers last where last.id = ${after})`,
        )
  const [rows, { count }] = await Promise.all([
    page.select('id').orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute(),
    all.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow(),
  ])
  return { ids: rows.map(({ id }) => id), count }
}

export async function findLook(db: Handle, serverId: string) {
  return db
    .selectFrom('server_looks')
    .select(['next_look_at', 'unreached_since', 'lost_since'])
    .where('server_id', '=', serverId)
    .executeTakeFirst()
}
