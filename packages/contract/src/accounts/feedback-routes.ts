import { z } from 'zod'
import { idSchema, languageSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import {
  createReviewBody,
  feedbackFiguresQuery,
  feedbackFiguresSchema,
  feedbackQuery,
  feedbackSchema,
  publicReviewSchema,
  surveySchema,
} from './feedback.ts'

const tag = 'Support'
const admin = { kind: 'capability', capability: 'admin' } as const

export const createReview = defineRoute({
  method: 'POST',
  path: '/support/reviews',
  tag,
  summary: 'Rate the product, with what is good and what is not',
  access: { kind: 'user' },
  body: createReviewBody,
  responses: { 204: null },
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
export const listReviews = defineRoute({
  method: 'GET',
  path: '/support/reviews',
  tag,
  summary: 'What customers have agreed to have shown, newest first, 30 at most',
  access: { kind: 'public' },
  query: z.object({ language: languageSchema.optional() }),
  responses: { 200: z.array(publicReviewSchema) },
  errors: [],
})
export const getSurvey = defineRoute({
  method: 'GET',
  path: '/support/survey',
  tag,
  summary: 'Whether it is a good moment to ask somebody what they think, once in 90 days at most',
  access: { kind: 'user' },
  responses: { 200: surveySchema },
  errors: [],
})
export const noteSurveyShown = defineRoute({
  method: 'POST',
  path: '/support/survey/shown',
  tag,
  summary: 'Note that somebody was asked, whether they answer or not',
  access: { kind: 'user' },
  responses: { 204: null },
  errors: [],
})
export const getFeedbackFigures = defineRoute({
  method: 'GET',
  path: '/admin/feedback/figures',
  tag,
  summary: 'What came of the survey',
  access: admin,
  query: feedbackFiguresQuery,
  responses: { 200: feedbackFiguresSchema },
  errors: [],
})
export const listFeedback = defineRoute({
  method: 'GET',
  path: '/admin/feedback',
  tag,
  summary: 'What people have answered, newest first',
  access: admin,
  query: feedbackQuery,
  responses: { 200: z.object({ data: z.array(feedbackSchema), count: z.int() }) },
  errors: [],
})
export const publishFeedback = defineRoute({
  method: 'PUT',
  path: '/admin/feedback/:id/published',
  tag,
  summary: 'Show a review to visitors, whose writer has agreed to that, or show it no longer',
  access: admin,
  params: z.object({ id: idSchema }),
  body: z.object({ published: z.boolean() }),
  responses: { 200: feedbackSchema },
  errors: ['resource_not_found', 'access_denied'],
})
