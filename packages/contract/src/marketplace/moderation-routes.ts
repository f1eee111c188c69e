import { z } from 'zod'
import { idSchema, pagingQuery, timeSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { moderatedProjectSchema } from './project.ts'
import { releaseSchema } from './release.ts'
import { projectKeySchema, releaseIdSchema, sha256Schema } from './schemas.ts'
import { moderatedStatuses, projectReportReasons } from './values.ts'

const tag = 'Moderation'
const access = { kind: 'capability', capability: 'admin.marketplace' } as const
const reason = z.string().trim().min(3, 'required').max(1000)
const project = z.object({ id: idSchema, slug: z.string(), name: z.string() })

const waitingReleaseSchema = z.object({
  project,
  release: releaseSchema,
  waiting_since: timeSchema,
})
const projectReportSchema = z.object({
  id: idSchema,
  project,
  reason: z.enum(projectReportReasons),
  comment: z.string(),
  release_id: releaseIdSchema.nullable(),
  review_id: idSchema.nullable(),
  created_at: timeSchema,
})

export const listWaitingReleases = defineRoute({
  method: 'GET',
  path: '/marketplace/moderation/releases',
  tag,
  summary: 'List the releases waiting for moderation, longest wait first',
  access,
  responses: { 200: z.array(waitingReleaseSchema) },
  errors: [],
})
export const decideRelease = defineRoute({
  method: 'POST',
  path: '/marketplace/moderation/releases/:releaseId',
  tag,
  summary: 'Publish or refuse a release that is waiting for moderation',
  access,
  params: z.object({ releaseId: releaseIdSchema }),
  body: z.discriminatedUnion('decision', [
    z.object({ decision: z.literal('publish') }),
    z.object({ decision: z.literal('refuse'), reason }),
  ]),
  responses: { 200: releaseSchema },
  errors: ['resource_not_found', 'release_not_changeable'],
})
export const listModeratedProjects = defineRoute({
  method: 'GET',
  path: '/marketplace/moderation/projects',
  tag,
  summary:
    'List all projects, newest first, whether shown or not. Can be limited to a status, or to those whose name, address, author or owner holds a text.',
  access,
  query: z.object(pagingQuery).extend({
    status: z.enum(moderatedStatuses).optional(),
    q: z.string().trim().min(1, 'search').max(100, 'search').optional(),
  }),
  responses: { 200: z.object({ data: z.array(moderatedProjectSchema), count: z.int() }) },
  errors: [],
})
export const takeDownProject = defineRoute({
  method: 'POST',
  path: '/marketplace/moderation/projects/:slug/takedown',
  tag,
  summary: 'Take a project down for a reason, or restore it with `reason: null`',
  access,
  params: z.object({ slug: projectKeySchema }),
  body: z.object({ reason: reason.nullable() }),
  responses: { 204: null },
  errors: ['resource_not_found'],
})
export const verifyProject = defineRoute({
  method: 'POST',
  path: '/marketplace/moderation/projects/:slug/verification',
  tag,
  summary: 'Confirm that a project comes from who it says it does, or withdraw that',
  access,
  params: z.object({ slug: projectKeySchema }),
  body: z.object({ verified: z.boolean() }),
  responses: { 204: null },
  errors: ['resource_not_found'],
})
export const quarantineArtifact = defineRoute({
  method: 'POST',
  path: '/marketplace/moderation/quarantine',
  tag,
  summary:
    'Quarantine a malicious file. Every release with it is withdrawn, new ones are refused, and the servers that have it are returned.',
  access,
  body: z.object({ sha256: sha256Schema, reason }),
  responses: {
    200: z.object({
      releases: z.array(releaseIdSchema),
      servers: z.array(z.object({ id: idSchema, name: z.string() })),
    }),
  },
  errors: [],
})
export const listProjectReports = defineRoute({
  method: 'GET',
  path: '/marketplace/moderation/reports',
  tag,
  summary: 'List open reports',
  access,
  responses: { 200: z.array(projectReportSchema) },
  errors: [],
})
export const closeProjectReport = defineRoute({
  method: 'POST',
  path: '/marketplace/moderation/reports/:reportId/close',
  tag,
  summary: 'Close a report',
  access,
  params: z.object({ reportId: idSchema }),
  responses: { 204: null },
  errors: ['resource_not_found'],
})
