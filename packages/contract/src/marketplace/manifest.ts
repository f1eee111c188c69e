/**
 * What a release means for a server: the fields of the specification, as an author publishes them. This is the one
 * description of them: the API, the form, the packager and the JSON Schema for authors' editors are made of it.
 */
import { z } from 'zod'
import { artifactNameSchema, labelSchema, sha256Schema, versionSchema } from './schemas.ts'
import { longestRange, longestSelector, packageNameSchema, readSelectorText } from './selector.ts'

const range = z
  .string()
  .trim()
  .max(longestRange)
  .describe('Version range: ">=1.2 <2 || ^3.1", Maven style "[1.0,2.0)", or Fabric style "fabric:>=0.15".')
/** Relative, of plain parts. Empty: the server's folder itself. */
const folder = z
  .string()
  .max(200)
  .regex(/^(?!.*\.\.)(?:[A-Za-z0-9_][A-Za-z0-9 ._-]*(?:\/[A-Za-z0-9_][A-Za-z0-9 ._-]*)*)?$/, 'folder')

const selectorObject = z.strictObject({
  name: packageNameSchema.optional().describe('The package itself, or one that provides it.'),
  tag: z.enum(['stable', 'latest']).optional(),
  expr: range.optional(),
  provides: packageNameSchema.optional().describe('Any package that provides this.'),
  labels: z.array(labelSchema).max(16).optional(),
})
type SelectorObject = z.output<typeof selectorObject>

/** A text that says no more than a name stays one; the others become what they stand for. */
const selectorText = z
  .string()
  .max(longestSelector)
  .regex(/^[^\s@#]+(?:[@#].+)?$/, 'selector')
  .describe('"name", "name@range", "name#stable" or "provides:name@range".')
  .transform((text, context): string | SelectorObject => {
    const read = selectorObject.safeParse(readSelectorText(text))
    if (read.success) return Object.keys(read.data).join() === 'name' ? read.data.name! : read.data
    context.addIssue({ code: 'custom', message: 'selector' })
    return z.NEVER
  })

export const selectorSchema = z.union([selectorText, selectorObject])

export const manifestSchema = z.strictObject({
  /** Editors look for it; it says nothing. */
  $schema: z.string().max(200).optional().describe('URL of this schema, for editors.'),
  manifestVersion: z.literal(1).default(1),
  packageVersion: versionSchema.describe('The version of the release.'),
  name: packageNameSchema.describe('The slug of the project.'),
  subdir: folder
    .default('')
    .describe('Subfolder of the folder where packages of this kind are installed. Empty: the default for the kind.'),
  contentVersion: z
    .string()
    .max(64)
    .nullable()
    .default(null)
    .describe('Version of the content, if it has one of its own.'),
  versionFormat: z.enum(['semver', 'maven']).default('semver').describe('Version format.'),
  depends: z.array(selectorSchema).max(100).default([]).describe('Required dependencies, in short form.'),
  dependencies: z
    .array(
      z.strictObject({
        selector: selectorSchema,
        kind: z
          .enum(['required', 'optional', 'incompatible', 'embedded'])
          .default('required')
          .describe('Required, offered as an option, must not be installed, or included in the package.'),
      }),
    )
    .max(400)
    .default([]),
  provides: z
    .array(z.strictObject({ name: packageNameSchema, version: versionSchema }))
    .max(50)
    .default([])
    .describe('Other packages that it stands in for.'),
  setEnv: z
    .array(z.strictObject({ key: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'env'), value: z.string().max(500) }))
    .max(50)
    .default([])
    .describe('Environment variables for the game.'),
  labels: z.array(labelSchema).max(32).default([]),
})

/** Every range in it with its place, for whoever can read them. */
export function rangesOf({
  depends,
  dependencies,
}: Pick<z.output<typeof manifestSchema>, 'depends' | 'dependencies'>): { place: string; expr: string }[] {
  const all = [
    ...depends.map((selector, index) => ({ selector, place: `depends.${index}` })),
    ...dependencies.map(({ selector }, index) => ({ selector, place: `dependencies.${index}` })),
  ]
  return all.flatMap(({ selector, place }) =>
    typeof selector === 'string' || selector.expr === undefined ? [] : [{ place, expr: selector.expr }],
  )
}

/** For editors: what an author may write, as JSON Schema (2020-12). */
export const manifestJsonSchema = (address: string): object => ({
  $id: address,
  title: 'Wakestone release manifest',
  ...z.toJSONSchema(manifestSchema, { io: 'input' }),
})

/** What is kept and handed out: with what the files turned out to be. */
export const publishedManifestSchema = manifestSchema.omit({ $schema: true }).extend({
  /** SHA-256 of the manifest without this field and without the addresses of its files, written with sorted keys. */
  ManifestHash: sha256Schema,
  /** SHA-256 over names and hashes of `downloadFiles`. */
  filesHash: sha256Schema,
  downloadFiles: z.array(z.object({ name: artifactNameSchema, url: z.string(), hash: sha256Schema })),
})
export type PublishedManifest = z.infer<typeof publishedManifestSchema>
