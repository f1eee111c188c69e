import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { projectKeySchema, releaseIdSchema } from './schemas.ts'
import { metricLabels, metricTypes, projectLimits, projectReportReasons, recommendations } from './values.ts'

const tag = 'Marketplace'
const params = z.object({ slug: projectKeySchema })
const one = params.extend({ reviewId: idSchema })
const comment = z.string().trim().max(projectLimits.review, 'review')
const see = { kind: 'project', param: 'slug', right: 'see' } as const

const reviewSchema = z.object({
  id: idSchema,
  project_id: idSchema,
  release_id: releaseIdSchema,
  /** Of the release. */
  version: z.string(),
  /** null where the account is gone. */
  user_id: idSchema.nullable(),
  username: z.string().nullable(),
  rate: z.enum(recommendations),
  comment: z.string(),
  created_at: timeSchema,
  deleted_at: timeSchema.nullable(),
  answer: z.object({ comment: z.string(), created_at: timeSchema }).nullable(),
})
export type Review = z.infer<typeof reviewSchema>

export const listProjectReviews = defineRoute({
  method: 'GET',
  path: '/marketplace/projects/:slug/reviews',
  tag,
  summary: 'List the reviews of a project, newest first. `before` is the id of the last one seen.',
  access: { kind: 'public' },
  keyScope: 'marketplace.project-manage.read',
  params,
  query: z.object({ before: idSchema.optional(), limit: z.coerce.number().int().min(1).max(100).default(20) }),
  responses: { 200: z.object({ has_more: z.boolean(), reviews: z.array(reviewSchema), may_review: z.boolean() }) },
  errors: ['resource_not_found'],
})
export const createProjectReview = defineRoute({
  method: 'POST',
  path: '/marketplace/projects/:slug/reviews',
  tag,
  summary: 'Review a project that has run on the caller’s own server for at least an hour. One review per user.',
  access: see,
  params,
  body: z.object({ rate: z.enum(recommendations), comment: comment.default('') }),
  responses: { 201: reviewSchema },
  errors: ['resource_not_found', 'project_not_used', 'resource_already_exists', 'access_denied'],
})
export const deleteProjectReview = defineRoute({
  method: 'DELETE',
  path: '/marketplace/projects/:slug/reviews/:reviewId',
  tag,
  summary: 'Delete the caller’s own review. Moderators can delete any.',
  access: see,
  params: one,
  responses: { 204: null },
  errors: ['resource_not_found'],
})
export const answerProjectReview = defineRoute({
  method: 'POST',
  path: '/marketplace/projects/:slug/reviews/:reviewId/answer',
  tag,
  summary: 'Answer a review on behalf of the project. A review can be answered only once.',
  access: { kind: 'project', param: 'slug', right: 'release' },
  params: one,
  body: z.object({ comment: comment.min(1, 'required') }),
  responses: { 201: reviewSchema },
  errors: ['not_project_member', 'resource_not_found', 'resource_already_exists'],
})
export const reportProject = defineRoute({
  method: 'POST',
  path: '/marketplace/projects/:slug/reports',
  tag,
  summary: 'Report a project, or one of its releases or reviews, to the moderators',
  access: see,
  params,
  body: z.object({
    reason: z.enum(projectReportReasons),
    comment: comment.min(1, 'required'),
    release_id: releaseIdSchema.optional(),
    review_id: idSchema.optional(),
  }),
  responses: { 204: null },
  errors: ['resource_not_found', 'too_many_requests'],
})
export const getProjectMetrics = defineRoute({
  method: 'GET',
  path: '/marketplace/projects/:slug/metrics',
  tag,
  summary: 'Get a project’s views, downloads or installs in the last 90 days by day, version, engine or country',
  access: { kind: 'project', param: 'slug', right: 'read' },
  keyScope: 'marketplace.project-manage.read',
  params,
  query: z.object({ label: z.enum(metricLabels).default('day'), metricType: z.enum(metricTypes).default('downloads') }),
  responses: { 200: z.array(z.object({ label: z.string(), value: z.int() })) },
  errors: ['not_project_member'],
})
