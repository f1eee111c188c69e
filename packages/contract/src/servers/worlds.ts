/** The worlds of a server. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'
import { inSecondsSchema } from './countdown.ts'
import { bytesOf, fileLimits, findNameFault } from './file-values.ts'
import { filePathSchema } from './files.ts'

export const worldLimits = {
  nameLength: 60,
  /** Blocks from the middle, and up. */
  coordinate: 30_000_000,
  height: 2_031,
  border: 59_999_968,
  /** Seconds that players may have spent near a chunk that still counts as unused. */
  pruneSeconds: 100 * 24 * 3600,
  /** Days of the game. */
  time: 24_000 * 1_000_000,
  seedLength: 60,
} as const

export const ticksPerSecond = 20

export const worldLayouts = ['old', 'bukkit', 'dimensions', 'bedrock'] as const
export const difficulties = ['peaceful', 'easy', 'normal', 'hard'] as const
export const generators = ['normal', 'flat', 'large_biomes', 'amplified'] as const
export type Generator = (typeof generators)[number]

/** Why something cannot be done with a world. */
export const worldObstacles = [
  'active', // it is the one that is played
  'bedrock', // worlds of Bedrock Edition are kept in another way
  'no_level', // what it says of itself cannot be read
  'not_there', // it does not have what is to be changed
] as const
export type WorldObstacle = (typeof worldObstacles)[number]

const place = z.object({ x: z.number(), y: z.number(), z: z.number() })

export const worldSchema = z.object({
  /** Path of its folder, by which it is asked for. */
  folder: z.string(),
  name: z.string(),
  layout: z.enum(worldLayouts),
  is_active: z.boolean(),
  /** The game has it open, or may have: what changes its files stops the game. */
  in_use: z.boolean(),
  bytes: z.int().nullable(),
  /** What it says of itself; null where that cannot be read. */
  level: z
    .object({
      /** Name of the game's version that has saved it last. */
      version: z.string().nullable(),
      /** Whether that is newer than the server's engine, which would spoil it. */
      is_newer: z.boolean(),
      /** A whole number of 64 bits. */
      seed: z.string().nullable(),
      spawn: place.nullable(),
      difficulty: z.enum(difficulties).nullable(),
      hardcore: z.boolean(),
      rules: z.record(z.string(), z.string()),
      /** `size` is the length of a side, in blocks. */
      border: z.object({ x: z.number(), z: z.number(), size: z.number() }).nullable(),
      /** Ticks since the first day began; a day has 24 000. */
      time: z.number().nullable(),
      last_played: timeSchema.nullable(),
    })
    .nullable(),
  dimensions: z.array(z.object({ name: z.string(), folder: z.string(), bytes: z.int().nullable() })),
})
export type World = z.infer<typeof worldSchema>

/** `active`: path of the folder that is played, which is made with the next start where it is missing. */
export const worldListSchema = z.object({ active: z.string(), worlds: z.array(worldSchema) })
export type WorldList = z.infer<typeof worldListSchema>

/** A folder that a world is asked for by. */
const worldPath = filePathSchema
/** Names are those of folders; what programs for the command line make of odd ones is not tried out. */
export const worldNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(worldLimits.nameLength)
  .regex(/^[\p{L}\p{N}_][\p{L}\p{N}_ .-]*$/u)
  .refine((name) => findNameFault(name) === undefined && bytesOf(name) <= fileLimits.nameBytes && !/[. ]$/.test(name))

const coordinate = z.int().min(-worldLimits.coordinate).max(worldLimits.coordinate)

export const editWorldBody = z
  .object({
    world: worldPath,
    difficulty: z.enum(difficulties).optional(),
    hardcore: z.boolean().optional(),
    spawn: z
      .object({ x: coordinate, y: z.int().min(-worldLimits.height).max(worldLimits.height), z: coordinate })
      .optional(),
    border: z.object({ x: coordinate, z: coordinate, size: z.number().min(1).max(worldLimits.border) }).optional(),
    time: z.int().min(0).max(worldLimits.time).optional(),
    rules: z
      .record(z.string().regex(/^[A-Za-z0-9_.:/-]{1,60}$/), z.string().regex(/^(true|false|-?\d{1,9})$/))
      .refine((rules) => Object.keys(rules).length <= 200)
      .optional(),
    in_seconds: inSecondsSchema,
  })
  .refine(({ world: _world, in_seconds: _inSeconds, ...change }) =>
    Object.values(change).some((value) => value !== undefined),
  )
export type EditWorldBody = z.output<typeof editWorldBody>

export const oneWorldBody = z.object({ world: worldPath })
export const namedWorldBody = z.object({ world: worldPath, name: worldNameSchema })
/** Of what stops the game where it plays that world. */
const warned = { in_seconds: inSecondsSchema }
export const changeWorldBody = oneWorldBody.extend(warned)
export const renameWorldBody = namedWorldBody.extend(warned)
export const resetDimensionBody = z.object({ world: worldPath, dimension: z.string().min(1).max(200), ...warned })
export const createWorldBody = z.object({
  name: worldNameSchema,
  /** A number, or any text that the game makes one of; none: a random one. */
  seed: z
    .string()
    .trim()
    .max(worldLimits.seedLength)
    // oxlint-disable-next-line no-control-regex
    .regex(/^[^\u0000-\u001f\u007f]*$/)
    .default(''),
  generator: z.enum(generators).default('normal'),
  ...warned,
})
export const importWorldBody = z.object({
  /** Of an archive in the server's files. */
  path: filePathSchema,
  name: worldNameSchema,
  /** Whether the archive goes when its world is there. */
  remove_archive: z.boolean().default(false),
})
const seconds = z.int().min(0).max(worldLimits.pruneSeconds)
export const pruneWorldBody = z.object({
  world: worldPath,
  /** Null: all of them. */
  dimension: z.string().min(1).max(200).nullable(),
  /** Chunks near which players were no longer than this go. */
  seconds,
  ...warned,
})
export const scanWorldQuery = z.object({
  world: worldPath,
  dimension: z.string().min(1).max(200).optional(),
  seconds: z.coerce.number().pipe(seconds),
})

/** A line of a scan: region files looked at, of how many; chunks, how many of them would go, and bytes with them. */
export type ScanLine = [
  done: number,
  total: number,
  chunks: number,
  unused: number,
  bytes: number,
  /** Regions that stay as they are, since something in them is damaged. */
  damaged: number,
  /** The one that was looked at just now: folder of its dimension, place, chunks in it, and how many of them would go. */
  region: [folder: string, x: number, z: number, chunks: number, unused: number] | null,
]

/** `process_id` null: it was done at once. */
export const begunWorldChangeSchema = z.object({ process_id: idSchema.nullable() })
