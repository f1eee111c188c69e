/** Packages of all sources, as people look for them. */
import { z } from 'zod'
import { idSchema, languageSchema, timeSchema } from '../primitives.ts'
import { packageSelectorSchema } from './packages.ts'

export const packageSources = ['wakestone', 'modrinth', 'hangar', 'curseforge'] as const
export type PackageSource = (typeof packageSources)[number]

/** What can be put on a server; data packs and server packs among them. */
export const packageKinds = [
  'plugin',
  'mod',
  'datapack',
  'resourcepack',
  'config',
  'map',
  'serverpack',
  'app',
  'engine',
  'contest',
] as const
export type PackageKind = (typeof packageKinds)[number]

/** A comma between several. */
const several = <Value extends z.ZodType<string, string>>(one: Value, most = 20) =>
  z
    .string()
    .max(20 * most)
    .transform((text) => text.split(',').filter((part) => part !== ''))
    .pipe(z.array(one).max(most))
    .optional()

export const searchPackagesQuery = z.object({
  query: z.string().trim().max(100).default(''),
  /** What fits this server comes first, and is marked; who may read the server. */
  server: idSchema.optional(),
  /** Only what fits the server, or this loader and version of the game. */
  fits: z.enum(['0', '1']).default('0'),
  loader: z.string().max(32).optional(),
  game_version: z.string().max(32).optional(),
  kinds: several(z.enum(packageKinds)),
  sources: several(z.enum(packageSources)),
  /** In which descriptions are told, where their source has them in it. */
  language: languageSchema.default('en'),
  /** Of each source, from 1 on. */
  page: z.coerce.number().int().min(1).max(100).default(1),
  limit: z.coerce.number().int().min(1).max(50).default(20),
})

/** A package as it is found. */
export const packageHitSchema = z.object({
  source: z.enum(packageSources),
  /** By which it is installed: `slug` of our own, `modrinth:P7dR8mSH` of others. */
  name: z.string().max(150),
  title: z.string().max(200),
  summary: z.string().max(500),
  author: z.string().max(100),
  icon_url: z.string().nullable(),
  /** Where people read about it; of our own, a path of this site. */
  url: z.string(),
  kind: z.enum(packageKinds),
  categories: z.array(z.string()),
  downloads: z.int().nullable(),
  follows: z.int().nullable(),
  updated_at: timeSchema.nullable(),
  latest_version: z.string().nullable(),
  game_versions: z.array(z.string()),
  loaders: z.array(z.string()),
  /** Whether a release is for the server, or the loader and version, that was asked about; null: not known, or not asked. */
  fits: z.boolean().nullable(),
  /** What the server has of it; null: nothing, or no server was named. */
  installed: z.object({ version: z.string(), asked: z.boolean() }).nullable(),
  /** Why it cannot be installed by us: its source only links to it, or wants people to fetch it themselves. */
  only_link: z.boolean(),
})
export type PackageHit = z.infer<typeof packageHitSchema>

/** Titles and icons of packages of which only the names are known. */
export const packageHeadsQuery = z.object({
  names: several(z.string().min(1).max(150), 60),
  /** Where they are installed: private ones are told to whoever may see them there. */
  server: idSchema.optional(),
})
export const packageHeadSchema = packageHitSchema.pick({
  name: true,
  source: true,
  title: true,
  icon_url: true,
  kind: true,
})
export type PackageHead = z.infer<typeof packageHeadSchema>

/** A line of the search: something found, or how a source, or all of it, has ended. */
export const packageSearchLineSchema = z.union([
  z.object({ hit: packageHitSchema }),
  /**
   * `total` null: the source does not say. `is_checking`: it has nothing that fits yet, but checks something that could.
   * `error`: it did not answer.
   */
  z.object({
    source: z.enum(packageSources),
    has_more: z.boolean(),
    total: z.int().nullable(),
    is_checking: z.boolean().optional(),
    error: z.string().optional(),
  }),
  z.object({ end: z.literal(true) }),
])
export type PackageSearchLine = z.infer<typeof packageSearchLineSchema>

/** One package with its releases, of whichever source. */
export const packageProjectSchema = packageHitSchema.extend({
  /** Cleaned HTML. */
  html: z.string(),
  license: z.string().nullable(),
  links: z.array(z.object({ kind: z.enum(['website', 'source', 'issues', 'wiki', 'chat']), url: z.string() })),
  images: z.array(z.object({ url: z.string(), title: z.string() })),
  /** Newest first, as many as the source tells at once. */
  releases: z.array(
    z.object({
      version: z.string(),
      channel: z.enum(['stable', 'latest', 'private']),
      published_at: timeSchema.nullable(),
      game_versions: z.array(z.string()),
      loaders: z.array(z.string()),
      /** Cleaned HTML of what is new. */
      html: z.string(),
      bytes: z.int().nullable(),
      fits: z.boolean().nullable(),
      requires: z.array(packageSelectorSchema),
      recommends: z.array(packageSelectorSchema),
      conflicts: z.array(packageSelectorSchema),
      /** Where people have to fetch it themselves; null: we can. */
      only_link: z.string().nullable(),
    }),
  ),
})
export type PackageProject = z.infer<typeof packageProjectSchema>

export const packageProjectQuery = z.object({ server: idSchema.optional() })
