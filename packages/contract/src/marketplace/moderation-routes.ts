import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { releaseSchema } from './release.ts'
import { projectKeySchema, releaseIdSchema, sha256Schema } from './schemas.ts'
import { projectReportReasons } from './values.ts'

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
  summary: 'Releases that wait for a moderator, those that have waited longest first',
  access,
  responses: { 200: z.array(waitingReleaseSchema) },
  errors: [],
})
export const decideRelease = defineRoute({
  method: 'POST',
  path: '/marketplace/moderation/releases/:releaseId',
  tag,
  summary: 'Publish or refuse a release that waits',
  access,
  params: z.object({ releaseId: releaseIdSchema }),
  body: z.discriminatedUnion('decision', [
    z.object({ decision: z.literal('publish') }),
    z.object({ decision: z.literal('refuse'), reason }),
  ]),
  responses: { 200: releaseSchema },
  errors: ['resource_not_found', 'release_not_changeable'],
})
export const takeDownProject = defineRoute({
  method: 'POST',
  path: '/marketplace/moderation/projects/:slug/takedown',
  tag,
  summary: 'Take a project down, or let it be seen again without a reason',
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
  summary: 'Say that a project is by who it says it is',
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
    'A file that is malice: every release with it is withdrawn, none is taken again, and servers that have it are listed',
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
  summary: 'Reports that nobody has closed yet',
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
