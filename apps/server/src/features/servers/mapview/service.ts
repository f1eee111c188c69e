/** Maps of servers: drawn by a task beside the game, kept in a folder of each server, and shown from there. */
import { DomainError } from '@wakestone/contract/errors'
import { defaultMapSettings, type MapSettings, type MapState, type ShownMap } from '@wakestone/contract/servers/mapview'
import type { changeMapSettingsBody } from '@wakestone/contract/servers/mapview'
import type { z } from 'zod'
import type { Context } from '#src/context.ts'
import { type Handle, inTransaction, type Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { beginOperation } from '#src/features/servers/operations/service.ts'
import {
  isDisabled,
  isExpired,
  lockServer,
  requireRunnable,
  type ServerRow,
} from '#src/features/servers/servers/service.ts'
import { findPlayers } from './players.ts'
import * as repo from './repo.ts'
import { dailyTimes, nextByHand } from './times.ts'

export { mapRender } from './operation.ts'
export { readTile } from './tiles.ts'

type Deps = Pick<Context, 'db' | 'boss' | 'settings'>

/** Bedrock's worlds are kept in a way that is not read yet. */
const hasDrawnWorlds = ({ game }: ServerRow) => game === 'minecraft-java'

const settingsOf = (row: repo.MapRow | undefined): MapSettings =>
  row === undefined
    ? defaultMapSettings
    : {
        enabled: row.enabled,
        is_public: row.is_public,
        shows_players: row.shows_players,
        layers: row.layers,
        areas: row.areas,
      }

export async function getSettings(db: Handle, serverId: string): Promise<MapSettings> {
  return settingsOf(await repo.findMap(db, serverId))
}

export async function changeSettings(
  { db }: Pick<Context, 'db'>,
  serverId: string,
  change: z.output<typeof changeMapSettingsBody>,
): Promise<MapSettings> {
  return inTransaction(db, async (trx) => {
    await lockServer(trx, serverId)
    const known = await getSettings(trx, serverId)
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const settings: MapSettings = { ...known, ...given }
    await repo.writeSettings(trx, serverId, settings)
    return settings
  })
}

export async function describeState(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  server: ServerRow,
): Promise<MapState> {
  const [row, hasAddOn, open] = await Promise.all([
    repo.findMap(db, server.id),
    repo.findAddOn(db, server.id),
    repo.findOpenDrawing(db, server.id),
  ])
  const now = new Date()
  const isDaily = hasAddOn && (row?.enabled ?? true) && hasDrawnWorlds(server)
  return {
    drawn_at: row?.drawn_at?.toISOString() ?? null,
    next_at: isDaily ? dailyTimes(now, settings.SELLER_TIME_ZONE).next.toISOString() : null,
    next_by_hand_at: nextByHand(row?.asked_at ?? null, now)?.toISOString() ?? null,
    process_id: open ?? null,
    last_failure:
      row?.failed_at == null ? null : { at: row.failed_at.toISOString(), code: row.failure ?? 'service_unavailable' },
    stored_bytes: Number(row?.stored_bytes ?? 0),
    damaged_chunks: row?.damaged_chunks ?? 0,
  }
}

/**
 * Has a map drawn because somebody asks for it.
 * @throws DomainError `too_many_requests` with `retry_after` in seconds, or why there is none of this server.
 */
export async function drawByHand(deps: Deps, server: ServerRow, userId: string): Promise<{ process_id: string }> {
  requireRunnable(server)
  if (server.files_deleted_at !== null) throw new DomainError('server_has_no_files', { resource: 'server' })
  requireDrawable(server, await getSettings(deps.db, server.id))
  return inTransaction(deps.db, async (trx) => {
    await lockServer(trx, server.id)
    const open = await repo.findOpenDrawing(trx, server.id)
    if (open !== undefined) return { process_id: open }
    const row = await repo.findMap(trx, server.id)
    const now = new Date()
    const next = nextByHand(row?.asked_at ?? null, now)
    if (next !== null)
      throw new DomainError('too_many_requests', {
        resource: 'server',
        retry_after: Math.ceil((next.getTime() - now.getTime()) / 1000),
      })
    const id = await begin(deps, trx, { server, userId, row })
    await repo.writeDrawn(trx, server.id, { asked_at: now })
    await recordServerEvent(trx, server.id, {
      action: 'MAPVIEW_GENERATION',
      data: { executor: userId, process_id: id },
    })
    return { process_id: id }
  })
}

/** Lifts the wait between drawings by hand, because another world is played now. */
export const letDrawAgain = (trx: Transaction, serverId: string): Promise<void> =>
  repo.writeDrawn(trx, serverId, { asked_at: null })

/** Begins to draw the maps of the add-on whose day has come, a few at once. */
export async function drawDue(deps: Deps, now = new Date()): Promise<void> {
  const room = deps.settings.MAPS_AT_ONCE - (await repo.countOpenDrawings(deps.db))
  if (room <= 0) return
  const { last } = dailyTimes(now, deps.settings.SELLER_TIME_ZONE)
  for (const { id } of await repo.selectDueMaps(deps.db, last, room))
    await inTransaction(deps.db, async (trx) => {
      await lockServer(trx, id)
      if ((await repo.findOpenDrawing(trx, id)) !== undefined) return
      await begin(deps, trx, { server: { id }, userId: null, row: await repo.findMap(trx, id) })
    })
}

/** Draws again what has changed on maps that somebody looks at while their game is played on. */
export async function drawWatched(deps: Deps, now = new Date()): Promise<void> {
  const minutes = deps.settings.MAP_LIVE_MINUTES
  if (minutes === 0) return
  const room = deps.settings.MAPS_AT_ONCE - (await repo.countOpenDrawings(deps.db))
  if (room <= 0) return
  const before = new Date(now.getTime() - minutes * 60_000)
  for (const { id } of await repo.selectWatchedMaps(deps.db, { before, now, limit: room }))
    await inTransaction(deps.db, async (trx) => {
      await lockServer(trx, id)
      if ((await repo.findOpenDrawing(trx, id)) !== undefined) return
      await begin(deps, trx, { server: { id }, userId: null, row: await repo.findMap(trx, id), isLive: true })
    })
}

async function begin(
  deps: Deps,
  trx: Parameters<Parameters<typeof inTransaction>[1]>[0],
  {
    server,
    userId,
    row,
    isLive = false,
  }: { server: { id: string }; userId: string | null; row: repo.MapRow | undefined; isLive?: boolean },
): Promise<string> {
  if (row === undefined) await repo.writeSettings(trx, server.id, defaultMapSettings)
  return beginOperation(deps, trx, {
    serverId: server.id,
    kind: 'map_render',
    exclusive: false,
    input: { layers: settingsOf(row).layers, isLive },
    userId,
  })
}

/** @throws DomainError `map_not_available` with the reason. */
function requireDrawable(server: ServerRow, { enabled }: MapSettings): void {
  if (!hasDrawnWorlds(server)) throw new DomainError('map_not_available', { reason: 'bedrock' })
  if (!enabled) throw new DomainError('map_not_available', { reason: 'off' })
}

/** Whether anybody at all may see the map of a server. */
export async function isOpenToAll(db: Handle, server: ServerRow): Promise<boolean> {
  const { enabled, is_public } = await getSettings(db, server.id)
  return enabled && is_public && !isExpired(server) && !isDisabled(server)
}

/** @param isWatched by somebody who may see the server: its map is then kept up to date while it is played on */
export async function showMap(
  deps: Pick<Context, 'db' | 'fleet'>,
  server: ServerRow,
  { isWatched }: { isWatched: boolean },
): Promise<ShownMap> {
  const row = await repo.findMap(deps.db, server.id)
  const settings = settingsOf(row)
  if (isWatched && settings.enabled) await repo.noteWatched(deps.db, server.id)
  const dimensions = settings.enabled ? (row?.dimensions ?? []) : []
  return {
    server: { id: server.id, name: server.name },
    is_public: settings.is_public,
    layers: settings.layers,
    dimensions,
    areas: settings.areas,
    players: settings.enabled && settings.shows_players ? await findPlayers(deps, server, dimensions) : null,
    drawn_at: row?.drawn_at?.toISOString() ?? null,
    version: (row?.drawn_at ?? row?.tried_at ?? null)?.getTime().toString(36) ?? '0',
  }
}
