import { sql } from 'kysely'
import type { ServerFlag } from '@wakestone/contract/admin/servers'
import type { Handle } from '#src/db/client.ts'

/** Ids of servers, those that came last first; `count` is of all that fit. */
export async function selectServerIds(
  db: Handle,
  {
    after,
    limit,
    clusterId,
    flag,
  }: { after?: string | undefined; limit: number; clusterId?: string | undefined; flag?: ServerFlag | undefined },
): Promise<{ ids: string[]; count: number }> {
  let all = db.selectFrom('servers').where('deleted_at', 'is', null)
  if (clusterId !== undefined) all = all.where('cluster_id', '=', clusterId)
  if (flag !== undefined) all = all.where(flag, '=', true)
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
