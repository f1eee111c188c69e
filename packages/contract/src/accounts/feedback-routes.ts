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
  summary: 'List published customer reviews, newest first (at most 30)',
  access: { kind: 'public' },
  query: z.object({ language: languageSchema.optional() }),
  responses: { 200: z.array(publicReviewSchema) },
  errors: [],
})
export const getSurvey = defineRoute({
  method: 'GET',
  path: '/support/survey',
  tag,
  summary: 'Get whether to show the user the survey now. Users are asked at most once every 90 days.',
  access: { kind: 'user' },
  responses: { 200: surveySchema },
  errors: [],
})
export const noteSurveyShown = defineRoute({
  method: 'POST',
  path: '/support/survey/shown',
  tag,
  summary: 'Record that the survey was shown, whether or not it is answered',
  access: { kind: 'user' },
  responses: { 204: null },
  errors: [],
})
export const getFeedbackFigures = defineRoute({
  method: 'GET',
  path: '/admin/feedback/figures',
  tag,
  summary: 'Get the survey results in figures',
  access: admin,
  query: feedbackFiguresQuery,
  responses: { 200: feedbackFiguresSchema },
  errors: [],
})
export const listFeedback = defineRoute({
  method: 'GET',
  path: '/admin/feedback',
  tag,
  summary: 'List survey answers, newest first',
  access: admin,
  query: feedbackQuery,
  responses: { 200: z.object({ data: z.array(feedbackSchema), count: z.int() }) },
  errors: [],
})
export const publishFeedback = defineRoute({
  method: 'PUT',
  path: '/admin/feedback/:id/published',
  tag,
  summary: 'Publish a review or hide it again. Its author must have agreed to publication.',
  access: admin,
  params: z.object({ id: idSchema }),
  body: z.object({ published: z.boolean() }),
  responses: { 200: feedbackSchema },
  errors: ['resource_not_found', 'access_denied'],
})
