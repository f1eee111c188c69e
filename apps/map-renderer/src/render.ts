/**
 * Brings the map of a server up to date: regions that have changed since they were drawn, nearest to the spawn first, then
 * the zooms that show them. It may be killed at any line; the next run goes on where this one was.
 */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import {
  type DrawnDimension,
  mapBounds,
  mapLayers,
  type MapLine,
  type MapRenderConfig,
} from '@wakestone/protocol/map-render'
import { fingerprintOf } from './fingerprint.ts'
import { openJournal, parseRegionKey, type RegionKey, regionKey } from './journal.ts'
import { startThreads } from './threads.ts'
import { removeTile } from './tiles.ts'
import { type Dimension, findDimensions, listRegions } from './worlds.ts'

type Threads = ReturnType<typeof startThreads>
type Plan = ReturnType<typeof planDimension>

/** @param file that threads begin with. @param tell writes a line. */
export async function render(config: MapRenderConfig, file: string, tell: (line: MapLine) => void): Promise<void> {
  const plans = findDimensions(config.volume).map((dimension) => planDimension(config, dimension))
  forgetOthers(config, plans)
  const dimensions = plans.map(({ drawn }) => drawn)
  const regions = plans.reduce((sum, plan) => sum + plan.regions.length, 0)
  const changed = plans.reduce((sum, plan) => sum + plan.changed.length, 0)
  tell({ kind: 'begin', dimensions, regions, changed })
  const total = { regions: 0, chunks: 0, damaged: 0 }
  const isIdle = plans.every(({ changed: some, zooms }) => some.length + zooms.length === 0)
  const threads = startThreads(file, isIdle ? 0 : config.threads)
  try {
    for (const plan of plans) {
      await drawRegions(plan, config, threads, (done) => {
        total.regions++
        total.chunks += done.chunks
        total.damaged += done.damaged
        tell({ kind: 'progress', done: total.regions, total: changed, dimension: plan.dimension.id })
      })
      await drawZooms(plan, config, threads)
    }
  } finally {
    await threads.close()
  }
  tell({ kind: 'end', dimensions, ...total, bytes: measure(config.store) })
}

function planDimension(config: MapRenderConfig, dimension: Dimension) {
  const folder = join(config.store, dimension.id)
  const { regions, cut } = listRegions(dimension)
  const { journal, noteRegion, noteZooms } = openJournal(folder)
  const present = new Set(regions.map(regionKey))
  for (const key of journal.drawn.keys()) {
    if (present.has(key)) continue
    for (const layer of mapLayers) removeTile({ folder, layer, zoomOut: 0, ...parseRegionKey(key) })
    noteRegion(key, null)
  }
  const found = regions.map((region) => ({
    ...region,
    print: fingerprintOf(dimension.path, { ...region, layers: config.layers }),
  }))
  const changed = found.filter((region) => journal.drawn.get(regionKey(region)) !== region.print)
  const drawn = describe(dimension, regions, cut)
  // Where a further zoom out begins, or one is no longer needed, all are made anew.
  if (journal.zoomOuts !== drawn.zoom_outs) for (const key of journal.drawn.keys()) journal.pending.add(key)
  return { dimension, folder, regions, changed, journal, noteRegion, noteZooms, drawn, zooms: [...journal.pending] }
}

function describe(dimension: Dimension, regions: { x: number; z: number }[], cut: boolean): DrawnDimension {
  const xs = regions.map(({ x }) => x)
  const zs = regions.map(({ z }) => z)
  const [west, east] = [least(xs), most(xs) + 1]
  const [north, south] = [least(zs), most(zs) + 1]
  return {
    id: dimension.id,
    world: dimension.world,
    dimension: dimension.dimension,
    min_x: west * 512,
    min_z: north * 512,
    max_x: east * 512,
    max_z: south * 512,
    zoom_outs: Math.min(mapBounds.zoomOuts, Math.ceil(Math.log2(Math.max(east - west, south - north, 1)))),
    spawn: dimension.spawn,
    regions: regions.length,
    cut,
  }
}
const least = (values: number[]) => values.reduce((found, value) => Math.min(found, value), Infinity)
const most = (values: number[]) => values.reduce((found, value) => Math.max(found, value), -Infinity)

async function drawRegions(
  { dimension, folder, changed, noteRegion }: Plan,
  { layers }: MapRenderConfig,
  threads: Threads,
  onDone: (done: { chunks: number; damaged: number }) => void,
) {
  const pieces = changed.map(({ x, z, print }) => ({
    kind: 'region' as const,
    path: dimension.path,
    folder,
    x,
    z,
    print,
    hasRoof: dimension.hasRoof,
    layers,
  }))
  await threads.doAll(pieces, (piece, done) => {
    noteRegion(regionKey(piece), piece.print)
    onDone(done)
  })
}

/** One zoom after another, each made of the one before it. */
async function drawZooms({ folder, journal, noteZooms, drawn }: Plan, { layers }: MapRenderConfig, threads: Threads) {
  let tiles = new Set<RegionKey>(journal.pending)
  if (tiles.size === 0 && journal.zoomOuts === drawn.zoom_outs) return
  for (let zoomOut = 1; zoomOut <= drawn.zoom_outs; zoomOut++) {
    tiles = new Set([...tiles].map(parseRegionKey).map(({ x, z }) => regionKey({ x: x >> 1, z: z >> 1 })))
    const pieces = [...tiles].flatMap((key) =>
      layers.map((layer) => ({ kind: 'zoom' as const, folder, layer, zoomOut, ...parseRegionKey(key) })),
    )
    await threads.doAll(pieces, () => {})
  }
  noteZooms(drawn.zoom_outs)
}

/** Dimensions that are no more, and layers that nobody wants any longer. */
function forgetOthers({ store, layers }: MapRenderConfig, plans: Plan[]) {
  const kept = new Set(plans.map(({ dimension }) => dimension.id))
  for (const name of readdirSync(store))
    if (!kept.has(name)) rmSync(join(store, name), { recursive: true, force: true })
  for (const layer of mapLayers)
    if (!layers.includes(layer))
      for (const { folder } of plans) rmSync(join(folder, layer), { recursive: true, force: true })
}

/** Bytes of all files of a folder. */
function measure(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) => sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
}
