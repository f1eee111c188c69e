/** Packages of a server: what is installed, what a change would do, and why one cannot be made. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'
import { inSecondsSchema } from './countdown.ts'
import { engineIds } from './engine-ids.ts'

/** A package, or whatever provides something, in versions of a range, of a channel. */
export const packageSelectorSchema = z.object({
  name: z.string().max(150).optional(),
  tag: z.string().max(64).optional(),
  expr: z.string().max(1500).optional(),
  provides: z.string().max(150).optional(),
  labels: z.record(z.string(), z.string()).optional(),
})
export type PackageSelector = z.infer<typeof packageSelectorSchema>

/** Oldest first; null: whichever. */
const versionsSchema = z.array(z.string()).nullable()
const subjectSchema = z.union([
  z.object({ package: z.string(), versions: versionsSchema }),
  z.object({ selector: packageSelectorSchema }),
])
const subjects = z.array(subjectSchema)
export type PackageSubject = z.infer<typeof subjectSchema>

const reasonSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('wish'),
    of: z.enum(['owner', 'engine', 'game', 'java']),
    selector: packageSelectorSchema,
    isMissing: z.boolean(),
  }),
  z.object({
    kind: z.literal('requires'),
    package: z.string(),
    versions: versionsSchema,
    selector: packageSelectorSchema,
    isMissing: z.boolean(),
  }),
  z.object({
    kind: z.literal('conflicts'),
    package: z.string(),
    versions: versionsSchema,
    selector: packageSelectorSchema,
    other: z.string(),
  }),
  z.object({ kind: z.literal('one-engine'), package: z.string(), other: z.string() }),
  z.object({ kind: z.literal('serves'), selector: packageSelectorSchema, packages: z.array(z.string()) }),
])
export type PackageReason = z.infer<typeof reasonSchema>

const conclusionSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('impossible'), subjects }),
  z.object({ kind: z.literal('needed'), subjects }),
  z.object({ kind: z.literal('needs'), subjects, needed: subjects }),
  z.object({ kind: z.literal('end') }),
])
export type PackageConclusion = z.infer<typeof conclusionSchema>

/** One step of an explanation: reasons, or steps before it by their place, and what follows. */
export const packageConflictSchema = z.object({
  because: z.array(z.union([reasonSchema, z.object({ step: z.int() })])),
  conclusion: conclusionSchema,
})
export type PackageConflict = z.infer<typeof packageConflictSchema>

export const packageChangeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('remove'), package: z.string() }),
  z.object({ kind: z.literal('version'), package: z.string(), version: z.string() }),
  z.object({
    kind: z.literal('ground'),
    of: z.enum(['game', 'engine', 'java']),
    name: z.string(),
    version: z.string(),
  }),
])
export type PackageChange = z.infer<typeof packageChangeSchema>

/** Why a change is refused besides a conflict of the solver; `fields.reason` of the errors, and of the preview. */
export const packageObstacles = [
  /** The solver has no answer: `conflicts` say why. */
  'conflicts',
  /** `install_deps` is false, and others would come along. */
  'needs_others',
  /** Others that stay need what is to go: `missing_dependants`. */
  'needed_by_others',
  /** Two packages bring the same file: `path_conflicts`. */
  'same_path',
  /** More plugins and mods than the server may have. */
  'too_many_plugins',
  /** Packages that the plan, or whoever runs the place, does not allow. */
  'not_allowed',
  /** A file of it is malice. */
  'quarantined',
  /** Somebody else has changed the server's packages meanwhile. */
  'changed_meanwhile',
  /** A release is not to be had any more. */
  'gone',
  /** A pack is made for another engine or version of the game: `ground` says for which; `change_engine` takes it. */
  'needs_engine',
  /** A pack cannot be read, or asks for what is not done. */
  'pack_unreadable',
] as const
export type PackageObstacle = (typeof packageObstacles)[number]

/** A selector as people write it, `name`, `name@range`, `name#tag`, or the object that it stands for. */
const writtenSelector = z.union([z.string().min(1).max(512), packageSelectorSchema])
const packageName = z.string().min(1).max(150)
const packageNames = z.array(packageName).max(50)

export const installPackagesBody = z.object({
  /** What is wanted besides what is there. */
  packages: z.array(writtenSelector).max(50).default([]),
  /** Names of what is there and should be as new as it can be. */
  update: packageNames.default([]),
  /** What is there goes for something else, in one step: name of what is installed, and selector of what comes. */
  replace_installed_with: z
    .array(z.object({ from: packageName, to: writtenSelector }))
    .max(50)
    .default([]),
  /** Whether what they need comes along; without it, it is refused where something would. */
  install_deps: z.boolean().default(true),
  /** Also where it does not fit: the newest release of each, with as much of what it needs as there is. */
  force: z.boolean().default(false),
  /** Also changes engine and version of the game, where a pack is made for others; the server is backed up first. */
  change_engine: z.boolean().default(false),
  in_seconds: inSecondsSchema,
  /** Only says what would be done. */
  dry_run: z.boolean().default(false),
})
export type InstallPackagesBody = z.input<typeof installPackagesBody>
export const uninstallPackagesBody = z.object({
  packages: z.array(writtenSelector).min(1).max(50),
  /** Moves the folders of their data into the trash of the server, such as `plugins/Shops`. */
  delete_data: z.boolean().default(false),
  /** Also where others need them. */
  force: z.boolean().default(false),
  in_seconds: inSecondsSchema,
  dry_run: z.boolean().default(false),
})
export type UninstallPackagesBody = z.input<typeof uninstallPackagesBody>

const groundSchema = z.object({ engine: z.enum(engineIds), version: z.string() })
const release = z.object({ name: z.string(), version: z.string() })

const packContentSchema = z.object({
  name: z.string(),
  minecraft: z.string(),
  engine: z.string(),
  files: z.int(),
  left_out: z.int(),
  by_hand: z.array(z.string()),
})

/** What a change of packages does, or why it cannot be made and what could be. */
export const packagePreviewSchema = z.object({
  is_possible: z.boolean(),
  /** Why not; null: it is possible. */
  obstacle: z.enum(packageObstacles).nullable(),
  /** It is possible only by `force`: `conflicts` and `missing_dependants` say what will not be right. */
  is_forced: z.boolean(),
  /** `bytes`: what is downloaded, as far as that is known. `source`: where it comes from. */
  added: z.array(release.extend({ bytes: z.int(), source: z.string(), asked: z.boolean() })),
  changed: z.array(z.object({ name: z.string(), from: z.string(), to: z.string(), bytes: z.int() })),
  /** In the order in which they go. */
  removed: z.array(release),
  /** Whether the game is stopped for it and started again. */
  restarts: z.boolean(),
  recommended: z.array(packageSelectorSchema),
  conflicts: z.array(packageConflictSchema),
  alternatives: z.array(z.array(packageChangeSchema)),
  missing_dependants: z.array(z.object({ dependant: z.string(), selector: packageSelectorSchema })),
  /** Files that two packages bring. */
  path_conflicts: z.array(z.object({ path: z.string(), packages: z.array(z.string()) })),
  /** Folders that `delete_data` would move into the trash, where they are there. */
  data_folders: z.array(z.string()),
  /** Engine and version of the game, where they change as well. */
  ground: z.object({ from: groundSchema, to: groundSchema }).nullable(),
  /** What packs bring: files, those that only players' own games need, and those that nobody but people may fetch. */
  packs: z.array(packContentSchema),
  /** Plugins and mods afterwards, and how many there may be; null: any number. */
  plugins: z.object({ count: z.int(), limit: z.int().nullable() }),
  /** What whoever decides should know; `not_loaded`: by the engine that the server gets. */
  warnings: z.array(
    z.object({ kind: z.enum(['downgrade', 'unverified', 'source_unavailable', 'not_loaded']), name: z.string() }),
  ),
})
export type PackagePreview = z.infer<typeof packagePreviewSchema>

export const takePackBody = z.object({ path: z.string().min(1).max(1000) })
/** A pack that was read: it is installed by its name. */
export const takenPackSchema = packContentSchema.extend({ title: z.string(), version: z.string() })

/** The specification's record of an installed package. */
export const installedPackageSchema = z.object({
  /** By what it was asked for; missing: others need it. */
  InstalledBySelector: packageSelectorSchema.optional(),
  ManifestHash: z.string(),
  InstalledDate: timeSchema,
  Manifest: z.record(z.string(), z.unknown()),
})

/* History of locks. */

export const lockCauses = ['install', 'uninstall', 'update', 'rollback', 'quarantine', 'engine'] as const
export const packageLockSchema = z.object({
  id: idSchema,
  created_at: timeSchema,
  /** What has brought it about; null: the state before the first change. */
  cause: z.enum(lockCauses).nullable(),
  process_id: idSchema.nullable(),
  /** By their name of today; null: nobody, or the account is gone. */
  executor: z.object({ id: idSchema, username: z.string() }).nullable(),
  /** Whether it is what the server has. */
  is_current: z.boolean(),
  /** `asked`: not only because others need it. */
  packages: z.array(release.extend({ asked: z.boolean(), source: z.string() })),
  /** Against the one before it. */
  added: z.array(release),
  changed: z.array(z.object({ name: z.string(), from: z.string(), to: z.string() })),
  removed: z.array(release),
})
export type PackageLock = z.infer<typeof packageLockSchema>
export const packageLocksSchema = z.object({ has_more: z.boolean(), locks: z.array(packageLockSchema) })
export const packageLocksQuery = z.object({
  /** Id of the last one seen; newest first. */
  after: idSchema.optional(),
  limit: z.coerce.number().int().min(1).max(50).default(20),
})
export const rollBackBody = z
  .object({ in_seconds: inSecondsSchema, dry_run: z.boolean().default(false) })
  .default({ in_seconds: 0, dry_run: false })

/* Updates. */

export const updateModes = ['off', 'offer', 'take'] as const
/** Whether new releases are looked for each day, and what is done with them. */
export const packageUpdateRuleSchema = z.object({
  mode: z.enum(updateModes),
  /** Hours of the day between which they are taken, in `time_zone`: from 3 to 6. The same twice: at any time. */
  from_hour: z.int().min(0).max(23),
  to_hour: z.int().min(0).max(23),
  time_zone: z.string().max(64),
  /** Only while nobody plays. */
  only_empty: z.boolean(),
})
export type PackageUpdateRule = z.infer<typeof packageUpdateRuleSchema>

export const packageUpdatesSchema = z.object({
  rule: packageUpdateRuleSchema,
  /** When they were looked for last; null: never. */
  checked_at: timeSchema.nullable(),
  updates: z.array(
    z.object({
      name: z.string(),
      source: z.string(),
      from: z.string(),
      to: z.string(),
      bytes: z.int(),
      /** Of packages that others need, nobody has asked for them. */
      asked: z.boolean(),
    }),
  ),
  /**
   * Newer releases that would fit, of packages that somebody has asked for in other versions, `wanted`: `1.0.0`, `<2`,
   * `#latest`. Asking for the package in other words lifts that.
   */
  chosen: z.array(z.object({ name: z.string(), from: z.string(), to: z.string(), wanted: z.string() })),
  /** What there is that does not fit with the rest: a newer release, and what it would take is told by a dry run. */
  held: z.array(z.object({ name: z.string(), from: z.string(), newest: z.string() })),
  /** Sources that did not answer. */
  unavailable: z.array(z.string()),
})
export type PackageUpdates = z.infer<typeof packageUpdatesSchema>

export const takeUpdatesBody = z.object({
  /** Names; null: all that there are. */
  packages: packageNames.nullable().default(null),
  /** Backs the server up before; it goes on when that is done. */
  backup: z.boolean().default(false),
  in_seconds: inSecondsSchema,
  dry_run: z.boolean().default(false),
})

/* What a server may have. */

/** Null: any number; any package. Names are whole, with their source where they have one. */
export const packageRulesSchema = z.object({
  max_plugins: z.int().min(0).max(10_000).nullable(),
  blacklisted_packages: z.array(packageName).max(500),
  allowed_packages: z.array(packageName).max(2000).nullable(),
})
export type PackageRules = z.infer<typeof packageRulesSchema>
