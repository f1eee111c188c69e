/** Operations: everything on a server that takes longer than a request. The specification calls them processes. */
import { z } from 'zod'
import type { ErrorCode } from '../errors.ts'
import { idSchema, timeSchema } from '../primitives.ts'

/** What each kind goes through, in order; names of phases are texts of the interface. */
export const operationPhases = {
  prepare: ['place', 'install', 'start'],
  engine_change: ['stop', 'backup', 'snapshot', 'erase', 'install', 'start'],
  engine_return: ['stop', 'snapshot', 'restore', 'install', 'start'],
  file_fetch: ['download'],
  format: ['stop', 'backup', 'snapshot', 'erase', 'install', 'start'],
  backup: ['flush', 'backup', 'verify', 'forget'],
  /** All files, or some that the game has open: it is stopped for that, and players are warned before. */
  backup_restore: ['warn', 'stop', 'backup', 'fetch', 'replace', 'install', 'start'],
  /** Some files that the game, if it is up, has not open. */
  backup_retrieve: ['backup', 'fetch', 'replace'],
  map_render: ['draw'],
  /** Of a world that the game has open, or may: it is stopped for that, and players are warned before. */
  world_change: ['warn', 'stop', 'backup', 'change', 'start'],
  /** Of a world that nothing has open. */
  world_work: ['change'],
  /** As before a restore, players are warned. */
  package_install: ['backup', 'warn', 'stop', 'install', 'start'],
  /** `clear`: folders of their data go into the trash. */
  package_uninstall: ['warn', 'stop', 'install', 'clear', 'start'],
  package_rollback: ['warn', 'stop', 'install', 'start'],
  /** Of what turned out to be malice; it does not go back. */
  package_quarantine: ['stop', 'isolate', 'install', 'start'],
  package_create: ['pack', 'release'],
  /** To another cluster. Up to `switch` everything goes back to how it was; so it does where the game does not come up. */
  migrate: [
    'check',
    'backup',
    'preload',
    'warn',
    'stop',
    'copy',
    'bring',
    'compare',
    'switch',
    'install',
    'start',
    'clean',
  ],
  /** To another cluster, from a backup, since its machine is lost. It does not go back there once it is switched over. */
  rescue: ['check', 'bring', 'compare', 'switch', 'install', 'start'],
  /** To a stop or restart that players are warned of. */
  countdown: ['wait'],
} as const satisfies Record<string, readonly string[]>
export type OperationKind = keyof typeof operationPhases
export const operationKinds = Object.keys(operationPhases) as [OperationKind, ...OperationKind[]]
export type OperationPhase<Kind extends OperationKind = OperationKind> = (typeof operationPhases)[Kind][number]

/** The exclusive kinds, and with which code another one is refused while one of them is under way. */
export const busyCodes = {
  prepare: 'server_is_preparing',
  engine_change: 'server_has_running_engine_change',
  engine_return: 'server_has_running_engine_change',
  format: 'server_has_running_format',
  backup: 'server_has_running_backup',
  backup_restore: 'server_has_running_restore',
  backup_retrieve: 'server_has_running_restore',
  world_change: 'server_has_running_world_change',
  world_work: 'server_has_running_world_change',
  package_install: 'server_has_running_package_change',
  package_uninstall: 'server_has_running_package_change',
  package_rollback: 'server_has_running_package_change',
  package_quarantine: 'server_has_running_package_change',
  migrate: 'server_has_running_migration',
  rescue: 'server_has_running_migration',
} as const satisfies Partial<Record<OperationKind, ErrorCode>>
export type ExclusiveKind = keyof typeof busyCodes
/** Whether other exclusive operations are refused while it is under way. */
export const isExclusive = (kind: OperationKind): kind is ExclusiveKind => kind in busyCodes
/** Those during which nobody else may change files. */
export const holdsFiles: Record<ExclusiveKind, boolean> = {
  prepare: true,
  engine_change: true,
  engine_return: true,
  format: true,
  backup: false,
  backup_restore: true,
  backup_retrieve: false,
  world_change: true,
  world_work: true,
  package_install: true,
  package_uninstall: true,
  package_rollback: true,
  package_quarantine: true,
  migrate: true,
  rescue: true,
}
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
  /** How much of how much, in bytes, how fast, and for how long yet, where that is known. */
  figures: z
    .object({
      bytes_done: z.number(),
      bytes_total: z.number(),
      bytes_per_second: z.number().nullable(),
      seconds_left: z.number().nullable(),
    })
    .nullable(),
  can_cancel: z.boolean(),
  /** What went wrong just now, and when it is tried again; null: nothing. */
  trouble: z.object({ code: z.string(), retry_at: timeSchema.nullable() }).nullable(),
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
  /** How long the last ones of its kind took on this server, newest first; of preparations, those of other servers with its engine. */
  took_seconds: z.array(z.number()),
})
export type Operation = z.infer<typeof operationSchema>
