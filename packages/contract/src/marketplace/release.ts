import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'
import { manifestSchema, publishedManifestSchema } from './manifest.ts'
import { artifactNameSchema, projectKeySchema, releaseIdSchema, sha256Schema, versionSchema } from './schemas.ts'
import { packageLoaders, projectLimits, releaseStates, releaseTypes } from './values.ts'

const gameVersion = z.string().regex(/^[0-9A-Za-z][0-9A-Za-z._-]{0,31}$/, 'game_version')
const notes = z.string().max(projectLimits.notes, 'notes').default('')

export const createReleaseBody = z.object({
  version: versionSchema,
  release_type: z.enum(releaseTypes).default('stable'),
  /** What is new, in Markdown. */
  description: notes,
  game_versions: z.array(gameVersion).min(1, 'required').max(100),
  loaders: z.array(z.enum(packageLoaders)).min(1, 'required').max(packageLoaders.length),
  /** Without one, made of the rest. */
  manifest: manifestSchema.optional(),
  artifacts: z
    .array(
      z.object({
        name: artifactNameSchema,
        size: z.int().min(1).max(projectLimits.artifactBytes, 'file_size'),
        sha256: sha256Schema,
      }),
    )
    .min(1, 'required')
    .max(projectLimits.artifacts)
    .refine((files) => new Set(files.map(({ name }) => name.toLowerCase())).size === files.length, 'file_name'),
})
/** A release out of files of a server. What is not said is taken from the server. */
export const createPackageBody = z.object({
  /** Slug or id of a project in which the caller may release. */
  project: projectKeySchema,
  /** Files and folders, all in one folder; one jar, zip or tgz is taken as it is, anything else is packed. */
  paths: z.array(z.string().min(1).max(4096)).min(1, 'required').max(100),
  /** Without one, that of the file, or made of project and version. */
  file_name: artifactNameSchema.optional(),
  version: versionSchema,
  release_type: z.enum(releaseTypes).default('private'),
  description: notes,
  game_versions: z.array(gameVersion).max(100).default([]),
  loaders: z.array(z.enum(packageLoaders)).max(packageLoaders.length).default([]),
})
/** What may change of a published one: its words, its channel among the two public ones, whether it is offered. */
export const changeReleaseBody = z
  .strictObject({
    description: z.string().max(projectLimits.notes, 'notes'),
    release_type: z.enum(releaseTypes),
    archived: z.boolean(),
  })
  .partial()

/** What the gate has found in a file, or in a release. */
export const findingSchema = z.object({
  /** Name of the rule: a text exists for each. */
  rule: z.string(),
  level: z.enum(['note', 'warning', 'refused']),
  file: z.string(),
  /** Entries or words that it is about; for members and moderators. */
  details: z.array(z.string()),
})
export type Finding = z.infer<typeof findingSchema>

export const artifactSchema = z.object({
  id: idSchema,
  type: z.enum(['jar', 'zip', 'tgz']),
  name: z.string(),
  url: z.string(),
  hash: sha256Schema,
  size: z.int(),
  deleted_at: timeSchema.nullable(),
  details: z.object({ entries: z.int().nullable(), unpacked: z.int().nullable(), kind: z.string().nullable() }),
})
export const releaseSchema = z.object({
  id: releaseIdSchema,
  project_id: idSchema,
  version: versionSchema,
  release_type: z.enum(releaseTypes),
  state: z.enum(releaseStates),
  description: z.string(),
  html: z.string(),
  game_versions: z.array(z.string()),
  loaders: z.array(z.enum(packageLoaders)),
  artifacts: z.array(artifactSchema),
  manifest: publishedManifestSchema.nullable(),
  created_at: timeSchema,
  published_at: timeSchema.nullable(),
  published_by: z.object({ id: idSchema, username: z.string() }).nullable(),
  archived_at: timeSchema.nullable(),
  /** Withdrawn: nobody is offered it any more. */
  deleted_at: timeSchema.nullable(),
  downloads: z.int(),
  /** Of a summary for everybody; members read all of it. */
  findings: z.array(findingSchema),
  /**
   * Where it stands in the queue of moderators, from 1 on, and what the last ones waited, at the median; null where it
   * does not wait, and where too few did to tell.
   */
  queue: z.object({ position: z.int(), length: z.int(), usual_seconds: z.int().nullable() }).nullable(),
  /** Why it was refused or withdrawn. */
  reason: z.string().nullable(),
})
export type Release = z.infer<typeof releaseSchema>

/** Where the bytes of a file go: `PATCH` as in tus 1.0, from `offset` on. */
const upload = z.object({ name: z.string(), url: z.string(), offset: z.int(), size: z.int(), expires_at: timeSchema })
export const newReleaseSchema = z.object({ release: releaseSchema, uploads: z.array(upload) })
export type NewRelease = z.infer<typeof newReleaseSchema>

export const releaseQuery = z.object({
  /** Id of the last release seen. */
  after: releaseIdSchema.optional(),
  limit: z.coerce.number().int().min(1).max(projectLimits.page).default(projectLimits.page),
  order: z.enum(['asc', 'desc']).default('desc'),
})
export const releaseListSchema = z.object({ has_more: z.boolean(), releases: z.array(releaseSchema) })
