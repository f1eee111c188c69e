import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'

/** Where somebody stands with their free server. */
export const freePlaySchema = z.object({
  /** The clock that the other times are by. */
  now: timeSchema,
  /** Their free server. */
  server_id: idSchema.nullable(),
  /**
   * `idle`: no place and none asked for; `waiting`: in the queue; `offered`: a place is held until it is taken or
   * `until` has passed; `reserved`: it was taken, and waits until then for a server to be rented; `playing`: the server has it.
   */
  state: z.enum(['idle', 'waiting', 'offered', 'reserved', 'playing']),
  until: timeSchema.nullable(),
  queue: z
    .object({
      cluster_id: z.string(),
      /** 1 is next; 0: it is their turn. */
      position: z.int(),
      /** How many wait. */
      waiting: z.int(),
      /** If everybody before plays as long as they may; null: nobody knows. */
      expected: timeSchema.nullable(),
    })
    .nullable(),
  session: z
    .object({
      /** When its game was up; null: it is being started. */
      started_at: timeSchema.nullable(),
      ends_at: timeSchema,
      /** Why it cannot be made longer now; null: it can. */
      obstacle: z.enum(['too_early', 'used_up', 'not_started']).nullable(),
    })
    .nullable(),
  /** The day of its owner's clock: seconds that were played, and may be. */
  day: z.object({ used: z.int(), limit: z.int(), ends: timeSchema }),
  /** Seconds of a session, and those in which an offered place is to be taken. */
  rules: z.object({ session: z.int(), confirm: z.int() }),
})
export type FreePlay = z.infer<typeof freePlaySchema>

export const freeAvailabilitySchema = z.object({
  /** Whether somebody who comes now gets a place at once, somewhere. */
  available: z.boolean(),
  /** Seconds that a free server may be up at a stretch, and in a day of its owner's clock. */
  rules: z.object({ session: z.int(), day: z.int() }),
  clusters: z.array(
    z.object({
      cluster_id: z.string(),
      places: z.int(),
      free: z.int(),
      waiting: z.int(),
      /** When it would be the turn of somebody who comes now; null: nobody knows. */
      expected: timeSchema.nullable(),
    }),
  ),
})
