import { type Selectable, sql } from 'kysely'
import type { MapDimension, MapSettings } from '@wakestone/contract/servers/mapview'
import type { Handle } from '#src/db/client.ts'
import type { ServerMaps } from '#src/db/types.gen.ts'

export type MapRow = Omit<Selectable<ServerMaps>, 'layers' | 'areas' | 'dimensions'> & {
  layers: MapSettings['layers']
  areas: MapSettings['areas']
  dimensions: MapDimension[] | null
}

export async function findMap(db: Handle, serverId: string): Promise<MapRow | undefined> {
  const row = await db.selectFrom('server_maps').selectAll().where('server_id', '=', serverId).executeTakeFirst()
  return row as MapRow | undefined
}

/** Makes the row where there is none. */
export async function writeSettings(db: Handle, serverId: string, settings: MapSettings): Promise<void> {
  const row = { ...settings, areas: JSON.stringify(settings.areas) }
  await db
    .insertInto('server_maps')
    .values({ server_id: serverId, ...row })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(row))
    .execute()
}

export type DrawnFacts = Partial<
  Pick<MapRow, 'drawn_at' | 'tried_at' | 'asked_at' | 'failed_at' | 'failure' | 'damaged_chunks'> & {
    dimensions: MapDimension[]
    stored_bytes: number
  }
>

/** What is known of drawing, in a row that is there. */
export async function writeDrawn(db: Handle, serverId: string, facts: DrawnFacts): Promise<void> {
  const { dimensions, ...rest } = facts
  const change = { ...rest, ...(dimensions !== undefined && { dimensions: JSON.stringify(dimensions) }) }
  await db.updateTable('server_maps').set(change).where('server_id', '=', serverId).execute()
}

/** Whether the add-on is rented with the server. */
const hasAddOn = sql<boolean>`exists (
  select from services added join products on products.id = added.product_id
  where added.parent_id = servers.service_id and added.ended_at is null and products.type = 'MAPVIEW')`

export async function findAddOn(db: Handle, serverId: string): Promise<boolean> {
  const row = await db.selectFrom('servers').select(hasAddOn.as('has')).where('id', '=', serverId).executeTakeFirst()
  return row?.has ?? false
}

export async function findOpenDrawing(db: Handle, serverId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('operations')
    .select('id')
    .where('server_id', '=', serverId)
    .where('kind', '=', 'map_render')
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

/** Maps that are being drawn, of all servers. */
export async function countOpenDrawings(db: Handle): Promise<number> {
  const { count } = await db
    .selectFrom('operations')
    .select((row) => row.fn.countAll<string>().as('count'))
    .where('kind', '=', 'map_render')
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Servers with the add-on whose map was not tried since then. */
export async function selectDueMaps(db: Handle, since: Date, limit: number): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select servers.id from servers left join server_maps maps on maps.server_id = servers.id
    where servers.deleted_at is null and servers.files_deleted_at is null and servers.prepared_at is not null
      and servers.game = 'minecraft-java' and coalesce(maps.enabled, true)
      and (maps.tried_at is null or maps.tried_at < ${since}) and ${hasAddOn}
      and not exists (select from operations open
        where open.server_id = servers.id and open.kind = 'map_render' and open.ended_at is null)
    order by maps.tried_at nulls first, servers.id limit ${limit}`.execute(db)
  return rows
}

/** How long after a look at it a map counts as watched: pages ask again each minute. */
const watchedSeconds = 150

/** That somebody looks at it; written once a minute, however many do. */
export async function noteWatched(db: Handle, serverId: string): Promise<void> {
  await sql`
    update server_maps set watched_at = now()
    where server_id = ${serverId} and (watched_at is null or watched_at < now() - interval '1 minute')`.execute(db)
}

/** Maps with the add-on that are watched, whose game is played on, and that were not drawn since. */
export async function selectWatchedMaps(
  db: Handle,
  { before, now, limit }: { before: Date; now: Date; limit: number },
): Promise<{ id: string }[]> {
  const watchedSince = new Date(now.getTime() - watchedSeconds * 1000)
  const { rows } = await sql<{ id: string }>`
    select servers.id from servers join server_maps maps on maps.server_id = servers.id
    where servers.deleted_at is null and servers.files_deleted_at is null and servers.phase = 'running'
      and servers.game = 'minecraft-java' and maps.enabled and maps.watched_at > ${watchedSince}
      and (maps.tried_at is null or maps.tried_at < ${before}) and ${hasAddOn}
      and not exists (select from operations open
        where open.server_id = servers.id and open.kind = 'map_render' and open.ended_at is null)
    order by maps.tried_at nulls first, servers.id limit ${limit}`.execute(db)
  return rows
}

/** Of these servers, those whose files are there. */
export async function selectKept(db: Handle, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('servers')
    .select('id')
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .where('files_deleted_at', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function forgetDrawn(db: Handle, serverId: string): Promise<void> {
  await db
    .updateTable('server_maps')
    .set({ dimensions: null, drawn_at: null, stored_bytes: 0, damaged_chunks: 0 })
    .where('server_id', '=', serverId)
    .execute()
}
