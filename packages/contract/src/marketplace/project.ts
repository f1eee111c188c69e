import { z } from 'zod'
import { idSchema, languageSchema, timeSchema } from '../primitives.ts'
import {
  descriptionSchema,
  labelSchema,
  projectNameSchema,
  releaseIdSchema,
  shortDescriptionSchema,
  versionSchema,
  websiteSchema,
} from './schemas.ts'
import {
  gameTags,
  mediaKinds,
  moderatedStatuses,
  packageLoaders,
  projectLimits,
  projectRoles,
  projectSorts,
  projectTypes,
  projectVisibilities,
  releaseTypes,
} from './values.ts'

const descriptionInput = z.object({
  language: languageSchema,
  short_description: shortDescriptionSchema,
  /** Markdown. */
  description: descriptionSchema.default(''),
})
const fields = {
  name: projectNameSchema,
  project_type: z.enum(projectTypes),
  game_tags: z.array(z.enum(gameTags)).max(2).default(['minecraft', 'minecraft-java']),
  labels: z.array(labelSchema).max(projectLimits.labels, 'labels').default([]),
  /** The first one is the original, from which others are translated. */
  descriptions: z.array(descriptionInput).max(3),
  author_info: z
    .object({
      author_name: z.string().trim().max(projectLimits.authorName).default(''),
      website_url: websiteSchema.nullable().default(null),
    })
    .default({ author_name: '', website_url: null }),
  /** What translators should know: names that stay as they are, the tone. */
  translation_prompt: z.string().max(projectLimits.prompt).nullable().default(null),
  license: z.string().trim().max(64).nullable().default(null),
  visibility: z.enum(projectVisibilities).default('public'),
}
export const createProjectBody = z.object({
  ...fields,
  /** Without one, made of the name. */
  slug: z.string().max(projectLimits.slug.max).optional(),
})
export const changeProjectBody = z
  .strictObject({
    name: fields.name,
    project_type: fields.project_type,
    game_tags: z.array(z.enum(gameTags)).max(2),
    labels: z.array(labelSchema).max(projectLimits.labels, 'labels'),
    descriptions: fields.descriptions,
    author_info: z.object({
      author_name: z.string().trim().max(projectLimits.authorName),
      website_url: websiteSchema.nullable(),
    }),
    translation_prompt: z.string().max(projectLimits.prompt).nullable(),
    license: z.string().trim().max(64).nullable(),
    visibility: z.enum(projectVisibilities),
    slug: z.string().max(projectLimits.slug.max),
    archived: z.boolean(),
  })
  .partial()

const media = z.object({
  /** By which it is deleted. */
  name: z.string(),
  kind: z.enum(mediaKinds),
  url: z.string(),
  width: z.int().nullable(),
  height: z.int().nullable(),
})
const member = z.object({ user_id: idSchema, username: z.string(), role: z.enum(projectRoles) })
export type ProjectMember = z.infer<typeof member>

/** In lists, without texts that are long. */
export const projectSummarySchema = z.object({
  id: idSchema,
  slug: z.string(),
  name: z.string(),
  project_type: z.enum(projectTypes),
  game_tags: z.array(z.enum(gameTags)),
  labels: z.array(z.string()),
  /** In the language that was asked for, else the original. */
  short_description: z.string(),
  author_info: z.object({ author_name: z.string(), website_url: z.string().nullable() }),
  media: z.array(media),
  visibility: z.enum(projectVisibilities),
  /** Whether everybody sees it: public, with a release, and not taken down. */
  visible: z.boolean(),
  verified_at: timeSchema.nullable(),
  created_at: timeSchema,
  updated_at: timeSchema,
  archived_at: timeSchema.nullable(),
  /** Of the channel that is installed by default. */
  latest_release: z
    .object({
      id: releaseIdSchema,
      version: versionSchema,
      release_type: z.enum(releaseTypes),
      created_at: timeSchema,
      game_versions: z.array(z.string()),
      loaders: z.array(z.enum(packageLoaders)),
    })
    .nullable(),
  downloads: z.int(),
  follows: z.int(),
  reviews: z.object({ recommend: z.int(), not_recommend: z.int() }),
})
export type ProjectSummary = z.infer<typeof projectSummarySchema>

/** As moderators find it in the list of all. */
export const moderatedProjectSchema = projectSummarySchema
  .pick({
    id: true,
    slug: true,
    name: true,
    author_info: true,
    downloads: true,
    latest_release: true,
    created_at: true,
  })
  .extend({
    status: z.enum(moderatedStatuses),
    /** Who made it; null: of the installation's own. */
    owner: z.object({ id: idSchema, username: z.string() }).nullable(),
    /** How many of its releases wait for a moderator. */
    waiting: z.int(),
  })
export type ModeratedProject = z.infer<typeof moderatedProjectSchema>

export const projectSchema = projectSummarySchema.extend({
  descriptions: z.array(
    z.object({
      language: languageSchema,
      short_description: z.string(),
      description: z.string(),
      /** Of the Markdown, safe to show. */
      html: z.string(),
      is_original: z.boolean(),
      /** Added: a machine has translated it, since the author has not. */
      is_machine: z.boolean(),
    }),
  ),
  project_members: z.array(member),
  license: z.string().nullable(),
  translation_prompt: z.string().nullable(),
  views: z.int(),
  /** The caller's; null where they are no member. */
  role: z.enum(projectRoles).nullable(),
  /** Whether the caller follows it. */
  is_followed: z.boolean(),
  /** Why a moderator has taken it down, for its members. */
  takedown: z.object({ reason: z.string(), at: timeSchema }).nullable(),
})
export type Project = z.infer<typeof projectSchema>

const list = z
  .string()
  .max(400)
  .transform((text) => text.split(',').filter((part) => part !== ''))
export const searchQuery = z.object({
  /** Words of name, address and description; the last one may be half typed. */
  name: z.string().max(100).optional(),
  /** Categories, games and labels, comma-separated: all of them. */
  labels: list.pipe(z.array(z.string().max(40)).max(20)).optional(),
  /** Of one release: these two are never met by two different ones. */
  loader: z.enum(packageLoaders).optional(),
  game_version: z.string().max(32).optional(),
  /** Only projects of this user. */
  projectMember: idSchema.optional(),
  has_release: z.enum(['0', '1']).default('1'),
  sort: z.enum(projectSorts).default('relevance'),
  language: languageSchema.default('en'),
  /** Id of the last project seen. */
  after: idSchema.optional(),
  limit: z.coerce.number().int().min(1).max(projectLimits.page).default(projectLimits.page),
  /** Added: also how many there are of each category and loader. */
  facets: z.enum(['0', '1']).default('0'),
})
/** How many fit the rest of a search, by what else they could be filtered by. */
const facetCounts = z.object({
  types: z.array(z.object({ value: z.enum(projectTypes), count: z.int() })),
  loaders: z.array(z.object({ value: z.enum(packageLoaders), count: z.int() })),
  /** There are more than were counted. */
  is_at_least: z.boolean(),
})
export type FacetCounts = z.infer<typeof facetCounts>
export const projectListSchema = z.object({
  has_more: z.boolean(),
  projects: z.array(projectSummarySchema),
  /** What was searched for instead, where a word was not known. */
  corrected: z.string().nullable(),
  /** Missing where nobody asked for it. */
  facets: facetCounts.optional(),
  /** Whose projects these are, where `projectMember` was asked for and there are any. */
  member: z.object({ id: idSchema, username: z.string() }).optional(),
})
export type ProjectList = z.infer<typeof projectListSchema>
export const memberListSchema = z.array(member)

export const featuredQuery = z.object({
  slugs: list.pipe(z.array(z.string().max(64)).max(12)),
  language: languageSchema.default('en'),
})

const smallProject = projectSummarySchema.pick({ id: true, slug: true, name: true, media: true })
/** What was published lately of what somebody follows. */
export const followedReleasesSchema = z.object({
  has_more: z.boolean(),
  releases: z.array(
    z.object({
      project: smallProject,
      id: releaseIdSchema,
      version: versionSchema,
      release_type: z.enum(releaseTypes),
      published_at: timeSchema,
      game_versions: z.array(z.string()),
      loaders: z.array(z.enum(packageLoaders)),
      html: z.string(),
    }),
  ),
})
export type FollowedReleases = z.infer<typeof followedReleasesSchema>

/** What the newest release of a project needs, and which projects need it. */
export const dependenciesSchema = z.object({
  dependencies: z.array(
    z.object({
      name: z.string(),
      expr: z.string().nullable(),
      kind: z.enum(['required', 'optional', 'incompatible', 'embedded']),
      /** Where the marketplace has it, and the caller may know. */
      project: smallProject.nullable(),
    }),
  ),
  dependants: z.array(smallProject),
  /** In all, of which `dependants` are the most used ones. */
  dependants_count: z.int(),
})
export type ProjectDependencies = z.infer<typeof dependenciesSchema>
