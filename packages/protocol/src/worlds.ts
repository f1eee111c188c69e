/**
 * What the files service tells of worlds, and is asked to do with them. Like all that it says it is a customer's word.
 *
 *   GET  /v1/worlds?edition=java|bedrock   → WorldList
 *   POST /v1/worlds/edit {folder, change}  → {paths} of the files that were changed, whose former content is in the trash;
 *                                            only while the game is down
 *   GET  /v1/worlds/scan?folder=&ticks=    → lines ScanLine: what pruning would take from a dimension
 *   POST /v1/worlds/remove {paths}         → 204; into the trash, as far as they are there
 *
 * Longer work are jobs: `world-copy`, `world-import`, `world-prune`.
 */
import { z } from 'zod'
import { first, measure } from './bounds.ts'
import { pathBytes } from './file-values.ts'
import * as values from './world-values.ts'

const told = (length: number) =>
  z.string().transform((text) => text.slice(0, length).toWellFormed().replaceAll('\0', '\uFFFD'))
const path = z
  .string()
  .max(3 * pathBytes)
  .transform((text) => text.toWellFormed().replaceAll('\0', '\uFFFD'))
const whole = z.number().transform((value) => Math.min(1e15, Math.max(-1e15, Math.trunc(value))))
const place = z.number().transform((value) => Math.min(1e9, Math.max(-1e9, value)))
const bytes = measure.transform(Math.trunc)
const time = z.number().transform((ms) => Math.min(8.64e15, Math.max(0, Math.trunc(ms))))

export const worldLevelSchema = z.object({
  name: told(100),
  dataVersion: whole.nullable(),
  version: told(100).nullable(),
  seed: z
    .string()
    .regex(/^-?\d{1,20}$/)
    .nullable(),
  spawn: z.object({ x: place, y: place, z: place }).nullable(),
  difficulty: z.enum(['peaceful', 'easy', 'normal', 'hard']).nullable(),
  hardcore: z.boolean(),
  gameMode: z.enum(['survival', 'creative', 'adventure', 'spectator']).nullable(),
  rules: z
    .record(z.string().max(60), z.string().max(60))
    .transform((rules) => Object.fromEntries(Object.entries(rules).slice(0, values.rulesTold))),
  border: z.object({ x: place, z: place, size: place }).nullable(),
  lastPlayed: time.nullable(),
  time: whole.nullable(),
})
export type WorldLevel = z.infer<typeof worldLevelSchema>

export const worldSchema = z.object({
  folder: path,
  /** Folders beside it that hold more of its dimensions. */
  parts: first(4, path),
  layout: z.enum(['old', 'bukkit', 'dimensions', 'bedrock']),
  /** Null: it has no `level.dat`, or one that cannot be read. */
  level: worldLevelSchema.nullable(),
  isDamaged: z.boolean(),
  /** When a game has opened it last, in milliseconds since 1970; null where that is not told. */
  openedAt: time.nullable(),
  bytes: bytes.nullable(),
  dimensions: first(values.dimensionsTold, z.object({ name: told(200), folder: path, bytes: bytes.nullable() })),
})
export type World = z.infer<typeof worldSchema>
/** `active`: path of the folder that the game plays, whether it is there or not. */
export const worldListSchema = z.object({ active: path, worlds: first(values.worldsTold, worldSchema) })
export type WorldList = z.infer<typeof worldListSchema>

export const changedPathsSchema = z.object({ paths: first(20, path) })

const figure = measure.transform(Math.trunc)
export const scanLineSchema = z.object({
  done: figure,
  total: figure,
  chunks: figure,
  unused: figure,
  bytes: figure,
  damaged: figure,
  region: z.object({ folder: path, x: whole, z: whole, chunks: figure, unused: figure }).nullable().catch(null),
})
