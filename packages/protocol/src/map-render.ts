/**
 * What the map renderer is told and what it tells: a task beside a game, whose words are a customer's, since it reads a
 * customer's worlds. Its arguments are the folder of the server's files, the one that tiles are kept in, and the rest as
 * JSON; it writes one line of JSON at a time.
 */
import { z } from 'zod'

export const mapLayers = ['day', 'night', 'height', 'biome'] as const
export type MapLayer = (typeof mapLayers)[number]

export type MapRenderConfig = {
  /** Folder of the server's files, and the one that tiles are kept in. */
  volume: string
  store: string
  layers: readonly MapLayer[]
  /** Threads that draw. */
  threads: number
}

export const mapBounds = {
  dimensions: 64,
  /** Of one dimension; those farthest from its middle are left out. */
  regions: 20_000,
  /** Pixels along a tile's side; at zoom 0 a pixel is a block, at each zoom out twice as many. */
  tilePixels: 512,
  zoomOuts: 7,
  /** Of one picture, and of all that are kept for a server. */
  tileBytes: 2 * 1024 * 1024,
  lineBytes: 60_000,
} as const
/** In blocks: no world reaches farther. */
const coordinate = z.int().min(-30_001_000).max(30_001_000)

export const drawnDimensionSchema = z.object({
  /** Name of its folder in the store. */
  id: z.string().regex(/^[a-zA-Z0-9_-]{1,60}\.[a-z0-9_-]{1,60}$/),
  /** Folder of the world, as people named it. */
  world: z.string().min(1).max(80),
  /** `overworld`, `the_nether`, `the_end`, or one of a data pack. */
  dimension: z.string().min(1).max(80),
  min_x: coordinate,
  min_z: coordinate,
  /** Beyond the last block. */
  max_x: coordinate,
  max_z: coordinate,
  /** How often it can be zoomed out from a pixel for a block. */
  zoom_outs: z.int().min(0).max(mapBounds.zoomOuts),
  spawn: z.object({ x: coordinate, z: coordinate }).nullable(),
  regions: z.int().min(0),
  /** Whether it has more regions than are drawn. */
  cut: z.boolean(),
})
export type DrawnDimension = z.infer<typeof drawnDimensionSchema>

const count = z.int().min(0)
const dimensions = z.array(drawnDimensionSchema).max(mapBounds.dimensions)

/**
 *   begin     what there is, and how many regions have changed
 *   progress  how far it has come
 *   end       everything is drawn
 */
export const mapLineSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begin'), dimensions, regions: count, changed: count }),
  z.object({ kind: z.literal('progress'), done: count, total: count, dimension: z.string().max(130) }),
  z.object({
    kind: z.literal('end'),
    dimensions,
    /** Regions that were drawn anew, the chunks in them, and those that were damaged: they look as they did before. */
    regions: count,
    chunks: count,
    damaged: count,
    /** Of all tiles, those drawn before too. */
    bytes: count,
  }),
])
export type MapLine = z.infer<typeof mapLineSchema>
