/**
 * Package manifests: everything on a server is a package (Java runtime, engine, plugin, map, configuration).
 * Field names are those of the product specification.
 */
import { z } from 'zod'
import { writtenSelectorSchema } from './selector.ts'

export const hashSchema = z.string().regex(/^(sha1:[0-9a-f]{40}|sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/)

export const manifestSchema = z.object({
  manifestVersion: z.literal(1),
  /** sha256 over the canonical JSON of the other fields: names this manifest for ever. */
  ManifestHash: z.string(),
  name: z.string(),
  packageVersion: z.string(),
  contentVersion: z.string(),
  versionFormat: z.enum(['semver', 'minecraft', 'number']),
  /**
   * Folder of the volume whose content the package adds to, such as `plugins`; `.`: it keeps a folder of its own.
   * `{world}` stands for the world that is played, `{server}` for the volume itself.
   */
  subdir: z.string(),
  /**
   * What becomes of files that are there already and that no package has brought. Missing: they make room, and are kept
   * beside it. `keep`: they stay, and the package's lie beside them. `once`: it is laid out where its folder is not there
   * yet, and is the owner's from then on.
   */
  place: z.enum(['keep', 'once']).optional(),
  /** What has to be there too. The specification has two lists; both are read, as texts or as objects. */
  depends: z.array(writtenSelectorSchema),
  dependencies: z.array(writtenSelectorSchema),
  /** What must not be there. */
  conflicts: z.array(writtenSelectorSchema).optional(),
  /** What is offered along with it. */
  recommends: z.array(writtenSelectorSchema).optional(),
  provides: z.array(z.object({ name: z.string(), version: z.string() })),
  setEnv: z.array(z.object({ key: z.string(), value: z.string() })),
  labels: z.record(z.string(), z.string()),
  /** Digest over the list of installed files, when known beforehand. */
  filesHash: z.string().nullable(),
  downloadFiles: z.array(
    z.object({
      name: z.string(),
      url: z.string(),
      hash: hashSchema,
      size: z.number().int().nullable(),
      /** Unpack into `subdir`, or lay the file there as it is. */
      unpack: z.enum(['none', 'tar.gz', 'zip']),
      /** Leading path elements to drop while unpacking. */
      strip: z.number().int().min(0),
      /** Folders at the top of the archive that are unpacked, what later ones have over earlier ones. Missing: all of it. */
      only: z
        .array(z.string().regex(/^[\w-][\w. -]*$/))
        .max(4)
        .optional(),
    }),
  ),
})
export type Manifest = z.infer<typeof manifestSchema>

/** What to run once the packages are in place. Placeholders: {JAVA} {NODE} {HEAP_MB} {PORT} {DIR:package-name}. */
export const launchSchema = z.object({
  command: z.array(z.string()).min(1),
  env: z.record(z.string(), z.string()),
  /** Line to type for a clean stop. */
  stopCommand: z.string(),
  /** Keys of `server.properties` that every start sets, whatever stands there. */
  settings: z.record(z.string(), z.string()).optional(),
  /** Line to type for having the world written, and what the line ends with that tells it is; absent: there is none. */
  flush: z.object({ command: z.string(), answer: z.string() }).optional(),
  /** Whether it speaks the management protocol (Minecraft 1.21.9 and later), for which its supervisor sets port and secret. */
  management: z.boolean().optional(),
  /** How the game is asked whether it is ready; missing: by the status of Java. */
  probe: z.enum(['java', 'bedrock']).optional(),
})
export type Launch = z.infer<typeof launchSchema>

/** The whole of what a supervisor must bring onto its volume; applied as one. */
export const installPlanSchema = z.object({
  /** sha256 over the canonical JSON of the other fields. */
  hash: z.string(),
  packages: z.array(manifestSchema),
  /** Small files of configuration: path in the volume → text; `merge` keeps keys the owner has set. */
  files: z.array(
    z.object({ path: z.string(), content: z.string(), mode: z.enum(['replace', 'create', 'merge-properties']) }),
  ),
  launch: launchSchema,
})
export type InstallPlan = z.infer<typeof installPlanSchema>
