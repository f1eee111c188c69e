/** Why a game crashed, as its page tells it. */
import { z } from 'zod'
import { timeSchema } from '../primitives.ts'

/** A game that has been up for so long after a crash runs well again. */
export const ranWellMinutes = 15

/** Names of mods, versions and the like; which ones there are depends on the tag. */
export const crashDetailsSchema = z.record(z.string(), z.union([z.string(), z.array(z.string())]))
export type CrashDetails = z.infer<typeof crashDetailsSchema>

export const crashSchema = z.object({
  at: timeSchema,
  /** One of `crashTags`, or of a newer supervisor. */
  tag: z.string(),
  details: crashDetailsSchema,
  exit: z.object({ code: z.int().nullable(), signal: z.string().nullable() }),
  /** Bytes of Java's heap at the end, where they are known. */
  heap: z.object({ used: z.number(), max: z.number() }).nullable(),
  /** The game has run well since: nobody has to do anything about it any more. */
  is_over: z.boolean(),
  /** The last lines of the game, oldest first. */
  last_lines: z.array(z.string()),
})
export type Crash = z.infer<typeof crashSchema>
