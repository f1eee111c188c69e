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
  .describe('Range of versions: ">=1.2 <2 || ^3.1", "[1.0,2.0)" as Maven writes it, "fabric:>=0.15" as Fabric does.')
/** Relative, of plain parts. Empty: the server's folder itself. */
const folder = z
  .string()
  .max(200)
  .regex(/^(?!.*\.\.)(?:[A-Za-z0-9_][A-Za-z0-9 ._-]*(?:\/[A-Za-z0-9_][A-Za-z0-9 ._-]*)*)?$/, 'folder')

const selectorObject = z.strictObject({
  name: packageNameSchema.optional().describe('The package itself, or what says that it provides it.'),
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
  $schema: z.string().max(200).optional().describe('Address of this schema, for editors.'),
  manifestVersion: z.literal(1).default(1),
  packageVersion: versionSchema.describe('The version of the release.'),
  name: packageNameSchema.describe('The address of the project.'),
  subdir: folder
    .default('')
    .describe('Folder within the one that packages of its kind go to. Empty: as the kind has it.'),
  contentVersion: z
    .string()
    .max(64)
    .nullable()
    .default(null)
    .describe('Version of what is in it, where it has its own.'),
  versionFormat: z.enum(['semver', 'maven']).default('semver').describe('How its versions are written.'),
  depends: z.array(selectorSchema).max(100).default([]).describe('What it needs, in the short form.'),
  dependencies: z
    .array(
      z.strictObject({
        selector: selectorSchema,
        kind: z
          .enum(['required', 'optional', 'incompatible', 'embedded'])
          .default('required')
          .describe('Needed, offered along with it, not to be there, or within it.'),
      }),
    )
    .max(400)
    .default([]),
  provides: z
    .array(z.strictObject({ name: packageNameSchema, version: versionSchema }))
    .max(50)
    .default([])
    .describe('Other names that it answers to.'),
  setEnv: z
    .array(z.strictObject({ key: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'env'), value: z.string().max(500) }))
    .max(50)
    .default([])
    .describe('Variables of the environment that the game is started with.'),
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
