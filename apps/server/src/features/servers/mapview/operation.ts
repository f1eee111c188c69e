/** The operation that draws the map of a server, while it is played on, asleep or stopped. */
import { DomainError } from '@wakestone/contract/errors'
import { eventLevels } from '@wakestone/contract/ground/event'
import type { MapDimension, MapLayer } from '@wakestone/contract/servers/mapview'
import type { DrawnDimension } from '@wakestone/protocol/map-render'
import { MapNotDrawn, renderMap } from '#src/adapters/map-renderer/run.ts'
import type { Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { flushWorld } from '#src/features/servers/backups/service.ts'
import { defineOperation, type Ended, requireIdle, type Step } from '#src/features/servers/operations/service.ts'
import * as repo from './repo.ts'

/** `isLive`: of a map that somebody looks at, so that only what the game has written is new. */
type Wish = { layers: MapLayer[]; isLive?: boolean }
type Notes = { dimensions: MapDimension[]; bytes: number; damaged: number }
type DrawStep = Step<Wish, Notes>

/** A world that is not written by then is drawn as it is. */
const flushMilliseconds = 8_000

async function draw(step: DrawStep): Promise<void> {
  const { serverId, input, signal, deps } = step
  // What is played just now may not have been saved yet: of a new server, nothing at all.
  await writeWorld(step)
  try {
    const end = await renderMap({ cluster: deps.fleet.cluster, settings: deps.settings }, serverId, {
      layers: input.layers,
      signal,
      onLine(line) {
        if (line.kind === 'progress') step.report(line.done / Math.max(1, line.total), line.dimension)
        // Tiles can be looked at while others are drawn; what is told in the end counts.
        if (line.kind === 'begin' && line.changed > 0) void tellDimensions(step, line.dimensions)
      },
    })
    if (end.dimensions.length === 0) throw new DomainError('map_has_no_world', { resource: 'server' })
    await step.note({ dimensions: end.dimensions.map(shown), bytes: end.bytes, damaged: end.damaged })
  } catch (error) {
    if (!(error instanceof MapNotDrawn) || error.fault === 'program') throw error
    throw new DomainError('map_not_drawn', { reason: error.fault })
  }
}

/** Has a game that plays write its world for a moment, unless something else holds it. */
async function writeWorld({ serverId, deps }: DrawStep): Promise<void> {
  const isIdle = await requireIdle(deps.db, serverId).then(
    () => true,
    () => false,
  )
  if (isIdle) await flushWorld({ serverId, deps }, AbortSignal.timeout(flushMilliseconds))
}

const tellDimensions = (step: DrawStep, dimensions: DrawnDimension[]) =>
  step
    .write((trx) => repo.writeDrawn(trx, step.serverId, { dimensions: dimensions.map(shown), tried_at: new Date() }))
    .catch(() => undefined) // told again in the end

const shown = ({ regions: _regions, ...dimension }: DrawnDimension): MapDimension => dimension

async function tellEnd(trx: Transaction, end: Ended<Wish, Notes>): Promise<void> {
  const { serverId, operationId, userId, outcome, error, notes } = end
  const now = new Date()
  const data = { ...(userId !== null && { executor: userId }), process_id: operationId }
  if (outcome === 'done') {
    await repo.writeDrawn(trx, serverId, {
      dimensions: notes.dimensions ?? [],
      drawn_at: now,
      tried_at: now,
      failed_at: null,
      failure: null,
      stored_bytes: notes.bytes ?? 0,
      damaged_chunks: notes.damaged ?? 0,
    })
    // Every few minutes is nothing to tell of.
    if (end.input.isLive !== true)
      await recordServerEvent(trx, serverId, { action: 'SERVER_OVERVIEWER_GENERATED_MAP', data })
    return
  }
  // What came to nothing can be asked for again.
  const anew = userId === null ? {} : { asked_at: null }
  if (outcome === 'cancelled') return repo.writeDrawn(trx, serverId, { tried_at: now, ...anew })
  await repo.writeDrawn(trx, serverId, { tried_at: now, failed_at: now, failure: error?.code ?? null, ...anew })
  await recordServerEvent(trx, serverId, {
    action: 'SERVER_OVERVIEWER_FAILED_DURING_GENERATION',
    success: false,
    level: eventLevels.ERROR,
    ...(error !== null && { error }),
    data,
  })
}

export const mapRender = defineOperation('map_render', {
  exclusive: false,
  phases: { draw: { weight: 1, run: draw } },
  ended: tellEnd,
})
