/** Backups of a server: what they hold, how many are kept, and what can be taken out of them. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'
import { inSecondsSchema } from './countdown.ts'

/**
 *   manual   somebody asked for it, or a schedule did: counted, kept until it is deleted
 *   auto     made by itself, as often as the plan says, and kept as long
 *   safety   made before something changed the files: kept for `safetyDays`, counted nowhere
 */
export const backupKinds = ['manual', 'auto', 'safety'] as const
export type BackupKind = (typeof backupKinds)[number]
/** What it was made for. */
export const backupCauses = [
  'asked',
  'schedule',
  'plan',
  'engine_change',
  'format',
  'restore',
  'world_change',
  'package_update',
  'migration',
] as const
export type BackupCause = (typeof backupCauses)[number]

export const safetyDays = 7
/** A deleted one can be brought back for so long. */
export const deletedDays = 7
export const backupNameLength = 60

const name = z
  .string()
  .trim()
  .max(backupNameLength)
  // oxlint-disable-next-line no-control-regex
  .regex(/^[^\0-\x1f\x7f]*$/, 'name')

/** What of a server's files no backup holds: they belong to the panel, or are made again by themselves. */
export const leftOutOfBackups = ['.wakestone', '.trash', '.revisions', '.transfers', 'cache'] as const

/** How a plan backs a server up. Automatic ones are kept all for a while, then the first of each day. */
export const backupRuleSchema = z.object({
  /** Hours from the end of one to the next. */
  every_hours: z.number().min(0.1),
  keep_all_hours: z.number().min(0),
  keep_daily_days: z.number().min(0),
  /** How many made by hand are kept at a time. */
  manual: z.int().min(0),
})
export type BackupRule = z.infer<typeof backupRuleSchema>

const count = z.int().min(0).default(0)
/** As restic tells them; sizes in bytes, durations in seconds. */
export const backupDetailsSchema = z.object({
  message_type: z.string().default('summary'),
  snapshot_id: z.string(),
  files_new: count,
  files_changed: count,
  files_unmodified: count,
  dirs_new: count,
  dirs_changed: count,
  dirs_unmodified: count,
  data_blobs: count,
  tree_blobs: count,
  data_added: count,
  /** What of it takes room, after compression. */
  data_added_packed: count,
  total_files_processed: count,
  total_bytes_processed: count,
  total_duration: z.number().min(0).default(0),
})
export type BackupDetails = z.infer<typeof backupDetailsSchema>

export const backupSchema = z.object({
  id: idSchema,
  repo_id: idSchema,
  /** The billing service that pays for its server. */
  service_id: idSchema,
  created_at: timeSchema,
  /** It waits to be removed and can be brought back until `removed_at`. */
  deleted_at: timeSchema.optional(),
  /** When it goes by itself, as far as that is known. */
  removed_at: timeSchema.nullable(),
  /** Its data is damaged or gone. */
  cannot_be_restored: z.boolean(),
  tags: z.array(z.string()),
  details: backupDetailsSchema,
  kind: z.enum(backupKinds),
  cause: z.enum(backupCauses),
  name: z.string().nullable(),
  /** Kept until this is taken back, or it is deleted. */
  pinned: z.boolean(),
  /** Some files could not be read, and are missing in it. */
  incomplete: z.boolean(),
  /** Since when it is known to be readable; null: not yet. */
  verified_at: timeSchema.nullable(),
  engine: z.string(),
  engine_version: z.string(),
  /** Who asked for it, by their name of today. */
  executor: z.object({ id: idSchema, username: z.string() }).nullable(),
  /** The restore that it was made before, and takes back: that one's process. */
  undoes: idSchema.nullable(),
})
export type Backup = z.infer<typeof backupSchema>

export const backupPlanSchema = z.object({
  /** Null: its plan has no backups. */
  rule: backupRuleSchema.nullable(),
  manual_count: z.int(),
  /** When the next automatic one may be made; null: when somebody has played. */
  next_at: timeSchema.nullable(),
  /** Bytes that all of them take in their storage; null: not measured yet. */
  stored_bytes: z.number().nullable(),
  /** How the last try has ended, where it failed. */
  last_failure: z.object({ at: timeSchema, code: z.string() }).nullable(),
  /** When data of it was last read back and compared. */
  drilled_at: timeSchema.nullable(),
})
export type BackupPlan = z.infer<typeof backupPlanSchema>

export const createBackupBody = z
  .object({ name: name.nullable().default(null), pinned: z.boolean().default(false) })
  .default({ name: null, pinned: false })
export const changeBackupBody = z.object({ name: name.nullable().optional(), pinned: z.boolean().optional() })

/** A path in a backup, without a slash at either end. */
export const backupPathSchema = z
  .string()
  .max(4096)
  .regex(/^(?!\/)(?!.*(?:^|\/)\.{1,2}(?:\/|$))(?!.*\/\/)(?!.*\/$)[^\0]*$/, 'path')

/** How long players are warned before the game is stopped for it; nobody is waited for where nobody plays. */

export const restoreBackupBody = z
  .object({
    /** Files and folders; null: all of them, also by deleting what has come since. */
    paths: z.array(backupPathSchema.min(1)).min(1).max(100).nullable().default(null),
    /** Whether what is there now is backed up before. */
    safety: z.boolean().default(true),
    /** Whether the game may be stopped for it. */
    stop: z.boolean().default(false),
    in_seconds: inSecondsSchema,
  })
  .default({ paths: null, safety: true, stop: false, in_seconds: 0 })
export type RestoreBackupBody = z.input<typeof restoreBackupBody>

/** As of a restore. Paths are those that were put back. */
export const undoRestoreBody = z
  .object({ safety: z.boolean().default(true), stop: z.boolean().default(false), in_seconds: inSecondsSchema })
  .default({ safety: true, stop: false, in_seconds: 0 })

/** A world of a backup, or what it has of a player: paths that are put back together. Most that are told. */
export const backupWorldsTold = 100
const backupPart = { paths: z.array(z.string()), bytes: z.number() }
export const backupWorldsSchema = z.array(z.object({ folder: z.string(), ...backupPart }))
export const backupPlayerSchema = z.object(backupPart)
export type BackupWorlds = z.infer<typeof backupWorldsSchema>

export const backupEntryTypes = ['file', 'folder', 'link', 'other'] as const
export const backupEntrySchema = z.object({
  name: z.string(),
  type: z.enum(backupEntryTypes),
  size: z.number(),
  modified_at: timeSchema.nullable(),
})
export type BackupEntry = z.infer<typeof backupEntrySchema>
/** Most entries of one folder that are told. */
export const entriesTold = 5_000
export const backupFolderSchema = z.object({
  path: z.string(),
  /** Folders first, then by name. */
  entries: z.array(backupEntrySchema),
  /** There are more. */
  truncated: z.boolean(),
})

/** Most changes that are told one by one. */
export const changesTold = 2_000
export const backupChangesSchema = z.object({
  added: z.int(),
  removed: z.int(),
  changed: z.int(),
  changes: z.array(z.object({ path: z.string(), kind: z.enum(['added', 'removed', 'changed']), size: z.number() })),
  truncated: z.boolean(),
})
export type BackupChanges = z.infer<typeof backupChangesSchema>

/** What opens a server's backups anywhere. */
export const backupKeySchema = z.object({
  /** As restic takes it: of a folder, its path on the machine of the operator. */
  repository: z.string(),
  password: z.string(),
  /** Command lines that list, check and restore. */
  commands: z.array(z.string()),
})

/**
 * Which folder of a world a path belongs to, given the folders that hold a `level.dat`; undefined: none. While its game
 * runs, files of a world are written by it.
 */
export function worldOf(path: string, worlds: readonly string[]): string | undefined {
  return worlds.find((world) => isWithin(path, world) || isWithin(world, path))
}
const isWithin = (path: string, folder: string) => folder === '' || path === folder || path.startsWith(`${folder}/`)

/** The player whose own data a path is, if it is one's: read when they join, written when they leave. */
export function playerOf(path: string): string | undefined {
  const [, id] =
    /(?:^|\/)(?:playerdata|stats|advancements|players\/\w+)\/([0-9a-f-]{36})\.(?:dat|json)$/.exec(path) ?? []
  return id
}
