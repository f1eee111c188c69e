/** A cluster is emptied: its servers move elsewhere, some at a time, and go on running. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'
import { migrationObstacles, migrationReasonSchema } from '../servers/migration.ts'

const about = {
  server_id: idSchema,
  name: z.string(),
  owner_name: z.string(),
  /** Where it goes; null: there is nowhere for it. */
  new_cluster: z.string().nullable(),
  /** For how long nobody can play on it; null: it is not up. */
  expected_seconds: z.number().nullable(),
}

/** What would become of a server. */
const plannedMoveSchema = z.object({
  ...about,
  players: z.int(),
  bytes: z.number(),
  /** Why it can go nowhere, by the cluster with most room; null: it can, or no other cluster is open. */
  obstacle: z.enum(migrationObstacles).nullable(),
})
export type PlannedMove = z.infer<typeof plannedMoveSchema>

export const evacuationStates = ['running', 'paused', 'done', 'cancelled'] as const
export type EvacuationState = (typeof evacuationStates)[number]
/** `gone`: it was deleted, or has moved by itself. */
export const evacuatedServerStates = ['waiting', 'moving', 'moved', 'failed', 'gone'] as const
export const evacuatedServerSchema = z.object({
  ...about,
  state: z.enum(evacuatedServerStates),
  /** How long it was, as it was measured. */
  down_seconds: z.number().nullable(),
  process_id: idSchema.nullable(),
  /** Of the process that moves it, 0–1. */
  progress: z.number().nullable(),
  /** A code of the catalogue: why it has not moved yet, or will not; null where somebody has cancelled its move. */
  error: z.string().nullable(),
})
export type EvacuatedServer = z.infer<typeof evacuatedServerSchema>

const evacuationSchema = z.object({
  id: idSchema,
  state: z.enum(evacuationStates),
  reason: z.string(),
  created_at: timeSchema,
  ended_at: timeSchema.nullable(),
  /** In the order in which they move. */
  servers: z.array(evacuatedServerSchema),
})
export type Evacuation = z.infer<typeof evacuationSchema>

export const clusterEvacuationSchema = z.object({
  /** What is under way, or was last; null: none was ever. */
  evacuation: evacuationSchema.nullable(),
  /** What one that began now would do, in its order; empty while one is under way. */
  plan: z.array(plannedMoveSchema),
})
export type ClusterEvacuation = z.infer<typeof clusterEvacuationSchema>

/** `reason` is what the owners read. */
export const beginEvacuationBody = z.strictObject({ reason: migrationReasonSchema })
/** Paused, what moves just now comes to its end; cancelled, all that waits stays. */
export const changeEvacuationBody = z.strictObject({ state: z.enum(['running', 'paused', 'cancelled']) })
