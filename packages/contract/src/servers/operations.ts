/** Operations: everything on a server that takes longer than a request. The specification calls them processes. */
import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import { idSchema, timeSchema } from '../primitives.ts'

/** What each kind goes through, in order; names of phases are texts of the interface. */
export const operationPhases = {
  engine_change: ['stop', 'snapshot', 'erase', 'install', 'start'],
  engine_return: ['stop', 'snapshot', 'restore', 'install', 'start'],
  format: ['stop', 'snapshot', 'erase', 'install', 'start'],
} as const satisfies Record<string, readonly string[]>
export type OperationKind = keyof typeof operationPhases
export const operationKinds = Object.keys(operationPhases) as [OperationKind, ...OperationKind[]]
export type OperationPhase<Kind extends OperationKind = OperationKind> = (typeof operationPhases)[Kind][number]

/** With which code another exclusive operation is refused while one of this kind is under way. */
export const busyCodes = {
  engine_change: 'server_has_running_engine_change',
  engine_return: 'server_has_running_engine_change',
  format: 'server_has_running_format',
} as const satisfies Record<OperationKind, ErrorCode>
export const allBusyCodes = [...new Set(Object.values(busyCodes))]

/**
 *   queued       waits for a worker
 *   running
 *   cancelling   goes back, since somebody asked for it or a phase failed (`error` says why)
 *   done
 *   cancelled    everything is as it was
 *   rolled_back  a phase failed; everything is as it was
 *   failed       a phase failed, and not all of it could be taken back
 */
export const operationStates = [
  'queued',
  'running',
  'cancelling',
  'done',
  'failed',
  'cancelled',
  'rolled_back',
] as const
export type OperationState = (typeof operationStates)[number]

export const operationTransitions: Record<OperationState, readonly OperationState[]> = {
  queued: ['running', 'cancelling'],
  running: ['done', 'cancelling'],
  cancelling: ['cancelled', 'rolled_back', 'failed'],
  done: [],
  failed: [],
  cancelled: [],
  rolled_back: [],
}
export const isOver = (state: OperationState) => operationTransitions[state].length === 0

export const operationSchema = z.object({
  id: idSchema,
  server_id: idSchema,
  kind: z.enum(operationKinds),
  state: z.enum(operationStates),
  /** One of `operationPhases` of its kind; null before the first begins. */
  phase: z.string().nullable(),
  /** 0–1 of the whole; null: not known. */
  progress: z.number().min(0).max(1).nullable(),
  /** What is being handled now, such as the name of a package. */
  item: z.string().nullable(),
  can_cancel: z.boolean(),
  /** Why it failed. */
  error: z.object({ code: z.string(), fields: z.record(z.string(), z.unknown()).optional() }).nullable(),
  /** What it is about, as far as people are shown it. */
  about: z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())])),
  attempt: z.int(),
  created_at: timeSchema,
  /** Since when its phase lasts. */
  phase_since: timeSchema.nullable(),
  ended_at: timeSchema.nullable(),
  /** Who asked for it, by their name of today; null: nobody, or the account is gone. */
  executor: z.object({ id: idSchema, username: z.string() }).nullable(),
  /** How long the last ones of its kind took on this server, newest first. */
  took_seconds: z.array(z.number()),
})
export type Operation = z.infer<typeof operationSchema>
