/** Packages of a server: what is installed, what a change would do, and why one cannot be made. */
import { z } from 'zod'
import { timeSchema } from '../primitives.ts'

/** A package, or whatever provides something, in versions of a range, of a channel. */
export const packageSelectorSchema = z.object({
  name: z.string().max(150).optional(),
  tag: z.string().max(64).optional(),
  expr: z.string().max(255).optional(),
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

/** A selector as people write it, `name`, `name@range`, `name#tag`, or the object that it stands for. */
const writtenSelector = z.union([z.string().min(1).max(512), packageSelectorSchema])
const packageNames = z.array(z.string().min(1).max(150)).max(50)

export const installPackagesBody = z.object({
  /** What is wanted besides what is there. */
  packages: z.array(writtenSelector).max(50).default([]),
  /** Names of what is there and should be as new as it can be. */
  update: packageNames.default([]),
  /** Only says what would be done. */
  dry_run: z.boolean().default(false),
})
export const uninstallPackagesBody = z.object({
  packages: packageNames.min(1),
  dry_run: z.boolean().default(false),
})

const release = z.object({ name: z.string(), version: z.string() })

/** What a change of packages does, or why it cannot be made and what could be. */
export const packagePreviewSchema = z.object({
  is_possible: z.boolean(),
  /** `bytes`: what is downloaded, as far as that is known. */
  added: z.array(release.extend({ bytes: z.int() })),
  changed: z.array(z.object({ name: z.string(), from: z.string(), to: z.string(), bytes: z.int() })),
  /** In the order in which they go. */
  removed: z.array(release),
  /** Whether the game is stopped for it and started again. */
  restarts: z.boolean(),
  recommended: z.array(packageSelectorSchema),
  conflicts: z.array(packageConflictSchema),
  alternatives: z.array(z.array(packageChangeSchema)),
  missing_dependants: z.array(z.object({ dependant: z.string(), selector: packageSelectorSchema })),
})
export type PackagePreview = z.infer<typeof packagePreviewSchema>

/** The specification's record of an installed package. */
export const installedPackageSchema = z.object({
  /** By what it was asked for; missing: others need it. */
  InstalledBySelector: packageSelectorSchema.optional(),
  ManifestHash: z.string(),
  InstalledDate: timeSchema,
  Manifest: z.record(z.string(), z.unknown()),
})
