/**
 * What a release means for a server: the fields of the specification, as an author publishes them. The solver's own
 * reading of them is in the packager; this is what the marketplace takes and keeps.
 */
import { z } from 'zod'
import { artifactNameSchema, labelSchema, sha256Schema, versionSchema } from './schemas.ts'

const packageName = z.string().regex(/^[a-z0-9][a-z0-9_.:-]{0,127}$/, 'package_name')
const expression = z.string().trim().max(200)
/** Relative, of plain parts. Empty: the server's folder itself. */
const folder = z
  .string()
  .max(200)
  .regex(/^(?!.*\.\.)(?:[A-Za-z0-9_][A-Za-z0-9 ._-]*(?:\/[A-Za-z0-9_][A-Za-z0-9 ._-]*)*)?$/, 'folder')

/** A name, or a name with what has to be so of it. */
export const selectorSchema = z.union([
  packageName,
  z.strictObject({
    name: packageName.optional(),
    tag: z.enum(['stable', 'latest']).optional(),
    expr: expression.optional(),
    provides: packageName.optional(),
    labels: z.array(labelSchema).max(16).optional(),
  }),
])

export const manifestSchema = z.strictObject({
  manifestVersion: z.literal(1).default(1),
  packageVersion: versionSchema,
  name: packageName,
  /** Where it is unpacked, or put as it is. */
  subdir: folder.default(''),
  contentVersion: z.string().max(64).nullable().default(null),
  versionFormat: z.enum(['semver', 'maven']).default('semver'),
  /** What it needs, in the short form. */
  depends: z.array(selectorSchema).max(100).default([]),
  dependencies: z
    .array(
      z.strictObject({
        selector: selectorSchema,
        kind: z.enum(['required', 'optional', 'incompatible', 'embedded']).default('required'),
      }),
    )
    .max(400)
    .default([]),
  provides: z
    .array(z.strictObject({ name: packageName, version: versionSchema }))
    .max(50)
    .default([]),
  setEnv: z
    .array(z.strictObject({ key: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'env'), value: z.string().max(500) }))
    .max(50)
    .default([]),
  labels: z.array(labelSchema).max(32).default([]),
})

/** What is kept and handed out: with what the files turned out to be. */
export const publishedManifestSchema = manifestSchema.extend({
  /** SHA-256 of the manifest without this field and without the addresses of its files, written with sorted keys. */
  ManifestHash: sha256Schema,
  /** SHA-256 over names and hashes of `downloadFiles`. */
  filesHash: sha256Schema,
  downloadFiles: z.array(z.object({ name: artifactNameSchema, url: z.string(), hash: sha256Schema })),
})
export type PublishedManifest = z.infer<typeof publishedManifestSchema>
