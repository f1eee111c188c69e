/** Maps of a server's worlds, seen from above in a browser. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'

export const mapLayers = ['day', 'night', 'height', 'biome'] as const
export type MapLayer = (typeof mapLayers)[number]

export const mapLimits = {
  /** Hours between two maps drawn by hand. */
  hoursByHand: 6,
  /** Hour of the day at which those with the add-on are drawn, in the operator's time zone. */
  dailyHour: 4,
  /** Pixels along a tile's side. */
  tilePixels: 512,
  areas: 500,
  corners: 64,
  nameLength: 64,
} as const

const block = z.int().min(-30_000_000).max(30_000_000)
/** As tiles name it. */
const dimensionIdSchema = z.string().regex(/^[a-zA-Z0-9_-]{1,60}\.[a-z0-9_-]{1,60}$/)

/** What the owner draws over the map, such as claims: one point is a marker, two are corners, more an outline. */
export const mapAreaSchema = z.strictObject({
  name: z.string().trim().min(1).max(mapLimits.nameLength),
  /** Missing: in the overworld of the world that is played. */
  dimension: dimensionIdSchema.optional(),
  points: z
    .array(z.tuple([block, block]))
    .min(1)
    .max(mapLimits.corners),
  colour: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i)
    .default('#f5b942'),
})
export type MapArea = z.output<typeof mapAreaSchema>

const settings = {
  enabled: z.boolean(),
  /** Whether everybody who has the address may look, and not only who may see the server. */
  is_public: z.boolean(),
  /** Whether players are shown where they are, as far as that is known. */
  shows_players: z.boolean(),
  layers: z
    .array(z.enum(mapLayers))
    .min(1)
    .max(mapLayers.length)
    .refine((some) => new Set(some).size === some.length),
  areas: z.array(mapAreaSchema).max(mapLimits.areas),
}
export const mapSettingsSchema = z.object(settings)
export type MapSettings = z.output<typeof mapSettingsSchema>
/** What is left out stays as it is. */
export const changeMapSettingsBody = z.object({
  enabled: settings.enabled,
  is_public: settings.is_public,
  shows_players: settings.shows_players.optional(),
  layers: settings.layers.optional(),
  areas: settings.areas.optional(),
})
export const defaultMapSettings: MapSettings = {
  enabled: true,
  is_public: false,
  shows_players: false,
  layers: [...mapLayers],
  areas: [],
}

export const mapDimensionSchema = z.object({
  id: dimensionIdSchema,
  /** Folder of the world. */
  world: z.string(),
  /** `overworld`, `the_nether`, `the_end`, or one of a data pack. */
  dimension: z.string(),
  /** Blocks; the ends are beyond the last ones. */
  min_x: z.int(),
  min_z: z.int(),
  max_x: z.int(),
  max_z: z.int(),
  /** How often it can be zoomed out from a pixel for a block. */
  zoom_outs: z.int(),
  spawn: z.object({ x: z.int(), z: z.int() }).nullable(),
  /** Whether it reaches farther than is drawn. */
  cut: z.boolean(),
})
export type MapDimension = z.infer<typeof mapDimensionSchema>

/** What a page needs to show a map. Tiles: `mapTile`. */
export const shownMapSchema = z.object({
  server: z.object({ id: idSchema, name: z.string() }),
  is_public: z.boolean(),
  layers: z.array(z.enum(mapLayers)),
  /** Empty until something is drawn. The first one is what the server plays. */
  dimensions: z.array(mapDimensionSchema),
  areas: z.array(mapAreaSchema),
  /** Where players are; null: not shown, or not known. */
  players: z
    .array(z.object({ name: z.string(), dimension: dimensionIdSchema, x: z.number(), z: z.number() }))
    .nullable(),
  /** When the last whole map was drawn. */
  drawn_at: timeSchema.nullable(),
  /** Changes whenever tiles may have. */
  version: z.string(),
})
export type ShownMap = z.infer<typeof shownMapSchema>

/** How the map of a server is kept up to date. */
export const mapStateSchema = z.object({
  drawn_at: timeSchema.nullable(),
  /** When it is drawn by itself; null without the add-on. */
  next_at: timeSchema.nullable(),
  /** From when on it may be drawn by hand; null: now. */
  next_by_hand_at: timeSchema.nullable(),
  /** The operation that draws it now. */
  process_id: idSchema.nullable(),
  /** How the last try has ended, where it failed. */
  last_failure: z.object({ at: timeSchema, code: z.string() }).nullable(),
  /** Bytes of its tiles. */
  stored_bytes: z.int(),
  /** Chunks of the last map that could not be read. */
  damaged_chunks: z.int(),
})
export type MapState = z.infer<typeof mapStateSchema>
