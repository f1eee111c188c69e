/** Plain values of the marketplace, for pages that need no schemas. Numbers are those of the product rules. */

/** Categories of projects. */
export const projectTypes = [
  'plugin',
  'app',
  'engine',
  'mod',
  'map',
  'config',
  'resourcepack',
  'serverpack',
  'contest',
] as const
export type ProjectType = (typeof projectTypes)[number]

/** Games, as tags of a project. */
export const gameTags = ['minecraft', 'minecraft-java'] as const
export type GameTag = (typeof gameTags)[number]

export { packageLoaders, type PackageLoader } from '../servers/package-loaders.ts'

/** `unlisted` is found by its address alone, `private` by its members alone. */
export const projectVisibilities = ['public', 'unlisted', 'private'] as const
export type ProjectVisibility = (typeof projectVisibilities)[number]

/** Roles of members, each with all that those before it may do. */
export const projectRoles = ['viewer', 'editor', 'maintainer', 'owner'] as const
export type ProjectRole = (typeof projectRoles)[number]

/** What can be done with a project, and the least role that may. One table for API and panel. */
export const projectRights = {
  read: 'viewer',
  edit: 'editor',
  release: 'maintainer',
  manage: 'owner',
} as const satisfies Record<string, ProjectRole>
export type ProjectRight = keyof typeof projectRights

/** Whether a role is enough for something. */
export function roleHasRight(role: ProjectRole, right: ProjectRight): boolean {
  return projectRoles.indexOf(role) >= projectRoles.indexOf(projectRights[right])
}

/** Who sees a project, and why not everybody does. Of several that fit it is the last. */
export const moderatedStatuses = ['public', 'unreleased', 'unlisted', 'private', 'archived', 'taken_down'] as const
export type ModeratedStatus = (typeof moderatedStatuses)[number]

export const releaseTypes = ['stable', 'latest', 'private'] as const
export type ReleaseType = (typeof releaseTypes)[number]

/**
 * A release on its way: its files arrive, the gate looks at them, a moderator where one has to; then it is published for
 * good, or refused. A published one only ever becomes withdrawn.
 */
export const releaseStates = ['draft', 'checking', 'waiting', 'published', 'refused', 'withdrawn'] as const
export type ReleaseState = (typeof releaseStates)[number]
export const releaseTransitions: Readonly<Record<ReleaseState, readonly ReleaseState[]>> = {
  draft: ['checking'],
  checking: ['waiting', 'published', 'refused'],
  waiting: ['published', 'refused'],
  published: ['withdrawn'],
  refused: [],
  withdrawn: [],
}

export const mediaKinds = ['icon', 'thumbnail', 'image', 'video'] as const
export type MediaKind = (typeof mediaKinds)[number]

/** Extensions of packages. A jar is a zip. */
export const artifactExtensions = ['jar', 'zip', 'tgz', 'tar.gz'] as const

export const recommendations = ['recommend', 'not_recommend'] as const

export const projectReportReasons = ['malware', 'stolen', 'broken', 'misleading', 'offensive', 'other'] as const
export type ProjectReportReason = (typeof projectReportReasons)[number]

export const metricTypes = ['views', 'downloads', 'installs'] as const
export type MetricType = (typeof metricTypes)[number]
/** By what a metric can be told apart. */
export const metricLabels = ['day', 'version', 'engine', 'country'] as const

export const projectSorts = ['relevance', 'downloads', 'follows', 'updated', 'newest'] as const
export type ProjectSort = (typeof projectSorts)[number]

const MIB = 1024 ** 2
export const projectLimits = {
  name: { min: 3, max: 64 },
  slug: { min: 3, max: 64 },
  shortDescription: { min: 3, max: 255 },
  description: 65_536,
  notes: 65_536,
  authorName: 64,
  prompt: 1000,
  labels: 12,
  version: 64,
  iconBytes: MIB,
  imageBytes: 5 * MIB,
  videoBytes: 50 * MIB,
  images: 20,
  videos: 3,
  artifacts: 16,
  artifactBytes: 512 * MIB,
  entries: 100_000,
  expansion: 200,
  members: 20,
  perUser: 100,
  page: 100,
  review: 2000,
} as const
