/** Packages of a server: what is installed, what a change would do, and why one cannot be made. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'

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
