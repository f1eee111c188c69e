import { z } from 'zod'
import { idSchema, languageSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import {
  changeProjectBody,
  createProjectBody,
  dependenciesSchema,
  featuredQuery,
  followedReleasesSchema,
  memberListSchema,
  projectListSchema,
  projectSchema,
  projectSummarySchema,
  searchQuery,
} from './project.ts'
import { projectKeySchema, releaseIdSchema } from './schemas.ts'
import { projectLimits, projectRoles } from './values.ts'

const tag = 'Marketplace'
const params = z.object({ slug: projectKeySchema })
const language = z.object({ language: languageSchema.default('en') })
const edit = { kind: 'project', param: 'slug', right: 'edit' } as const
const manage = { kind: 'project', param: 'slug', right: 'manage' } as const
const editScope = 'marketplace.project-manage.edit'
const texts = ['missing_original_description', 'short_description_too_long', 'description_too_long'] as const
const files = ['invalid_file', 'file_is_too_large', 'request_too_large'] as const

export const searchProjects = defineRoute({
  method: 'GET',
  path: '/marketplace/projects/search',
  tag,
  summary: 'Search projects by text, labels, loader and game version, or list those of one user',
  access: { kind: 'public' },
  keyScope: 'marketplace.project-manage.read',
  query: searchQuery,
  responses: { 200: projectListSchema },
  errors: [],
})
export const followedProjects = defineRoute({
  method: 'GET',
  path: '/marketplace/projects/follows',
  tag,
  summary: 'List the projects that the caller follows, most recently followed first',
  access: { kind: 'user' },
  keyScope: 'marketplace.project-manage.read',
  query: searchQuery.pick({ after: true, limit: true, language: true }),
  responses: { 200: projectListSchema },
  errors: [],
})
export const followedReleases = defineRoute({
  method: 'GET',
  path: '/marketplace/projects/follows/releases',
  tag,
  summary: 'List the releases of projects that the caller follows, newest first',
  access: { kind: 'user' },
  keyScope: 'marketplace.project-manage.read',
  query: z.object({
    after: releaseIdSchema.optional(),
    limit: z.coerce.number().int().min(1).max(50).default(20),
    language: languageSchema.default('en'),
  }),
  responses: { 200: followedReleasesSchema },
  errors: [],
})
export const featuredProjects = defineRoute({
  method: 'GET',
  path: '/marketplace/projects/featured',
  tag,
  summary: 'List public projects by slug, in the order given. Unknown slugs are left out.',
  access: { kind: 'public' },
  query: featuredQuery,
  responses: { 200: z.array(projectSummarySchema) },
  errors: [],
})
export const previewText = defineRoute({
  method: 'POST',
  path: '/marketplace/preview',
  tag,
  summary: 'Render Markdown as project pages will show it',
  access: { kind: 'user' },
  body: z.object({ text: z.string().max(projectLimits.description) }),
  responses: { 200: z.object({ html: z.string() }) },
  errors: [],
})
export const projectDependencies = defineRoute({
  method: 'GET',
  path: '/marketplace/projects/:slug/dependencies',
  tag,
  summary: 'Get what the newest release of a project depends on, and the projects that depend on it',
  access: { kind: 'public' },
  keyScope: 'marketplace.project-manage.read',
  params,
  query: language,
  responses: { 200: dependenciesSchema },
  errors: ['resource_not_found'],
})
export const getProject = defineRoute({
  method: 'GET',
  path: '/marketplace/projects/:slug',
  tag,
  summary: 'Get a project with its texts, media and members',
  access: { kind: 'public' },
  keyScope: 'marketplace.project-manage.read',
  params,
  query: language,
  responses: { 200: projectSchema },
  errors: ['resource_not_found'],
})
export const createProject = defineRoute({
  method: 'POST',
  path: '/marketplace/projects',
  tag,
  summary:
    'Create a project. Takes JSON, or a form with `payload_json` and media files named `icon`, `thumbnail`, `image` and `video`.',
  access: { kind: 'capability', capability: 'marketplace.project-create' },
  keyScope: 'access',
  takesFiles: true,
  body: createProjectBody,
  responses: { 201: projectSchema },
  errors: [...texts, ...files, 'market_project_bad_slug', 'resource_already_exists', 'too_many_requests'],
})
export const changeProject = defineRoute({
  method: 'PATCH',
  path: '/marketplace/projects/:slug',
  tag,
  summary: 'Update a project or add media to it. The slug can only change until the first public release.',
  access: edit,
  keyScope: editScope,
  takesFiles: true,
  params,
  body: changeProjectBody,
  responses: { 200: projectSchema },
  errors: [...texts, ...files, 'market_project_bad_slug', 'resource_already_exists', 'not_project_member'],
})
export const deleteProjectMedia = defineRoute({
  method: 'DELETE',
  path: '/marketplace/projects/:slug/media/:name',
  tag,
  summary: 'Delete an image or video of a project',
  access: edit,
  keyScope: editScope,
  params: params.extend({ name: z.string().max(80) }),
  responses: { 204: null },
  errors: ['not_project_member', 'resource_not_found'],
})
export const followProject = defineRoute({
  method: 'POST',
  path: '/marketplace/projects/:slug/follow',
  tag,
  summary: 'Follow a project',
  access: { kind: 'project', param: 'slug', right: 'see' },
  params,
  responses: { 204: null },
  errors: ['resource_not_found'],
})
export const unfollowProject = defineRoute({
  method: 'DELETE',
  path: '/marketplace/projects/:slug/follow',
  tag,
  summary: 'Unfollow a project',
  access: { kind: 'project', param: 'slug', right: 'see' },
  params,
  responses: { 204: null },
  errors: ['resource_not_found'],
})
export const setProjectMember = defineRoute({
  method: 'PUT',
  path: '/marketplace/projects/:slug/members/:userId',
  tag,
  summary: 'Set a user’s role in a project. A project must keep an owner.',
  access: manage,
  params: params.extend({ userId: idSchema }),
  body: z.object({ role: z.enum(projectRoles) }),
  responses: { 200: memberListSchema },
  stepUp: true,
  errors: ['not_project_member', 'user_not_found', 'last_project_owner', 'too_many_requests'],
})
export const addProjectMember = defineRoute({
  method: 'POST',
  path: '/marketplace/projects/:slug/members',
  tag,
  summary: 'Add a member to a project by user name',
  access: manage,
  params,
  body: z.object({ username: z.string().trim().min(1).max(64), role: z.enum(projectRoles) }),
  responses: { 200: memberListSchema },
  stepUp: true,
  errors: ['not_project_member', 'user_not_found', 'last_project_owner', 'too_many_requests'],
})
export const removeProjectMember = defineRoute({
  method: 'DELETE',
  path: '/marketplace/projects/:slug/members/:userId',
  tag,
  summary: 'Remove a member from a project. Members can remove themselves.',
  access: { kind: 'project', param: 'slug', right: 'read' },
  params: params.extend({ userId: idSchema }),
  responses: { 204: null },
  errors: ['not_project_member', 'resource_not_found', 'last_project_owner'],
})
