/** What people think of the product: asked for at times, and what came of it. */
import { z } from 'zod'
import { idSchema, languageSchema, timeSchema } from '../primitives.ts'
import { reviewAdvantages, reviewAges, reviewCauses, reviewCommentLimit, reviewRates } from '../values.ts'

export const createReviewBody = z.object({
  rate: z.int().min(reviewRates.min, 'rate').max(reviewRates.max, 'rate'),
  causes: z.array(z.enum(reviewCauses)).max(reviewCauses.length).default([]),
  advantages: z.array(z.enum(reviewAdvantages)).max(reviewAdvantages.length).default([]),
  comment: z.string().trim().max(reviewCommentLimit, 'comment').optional(),
  age: z.enum(reviewAges).optional(),
  /** Whether the comment may be shown to others, under the name of its writer. */
  may_publish: z.boolean().default(false),
  /** The server that the review was written beside. */
  server_id: idSchema.optional(),
  /** Language of the panel, where it is not the account's. */
  language: languageSchema.optional(),
})

export const surveySchema = z.object({
  /** Whether it is a good moment to ask. */
  due: z.boolean(),
  /** The earliest moment to ask again; null: any. */
  not_before: timeSchema.nullable(),
})

const share = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.array(z.object({ name: z.enum(names), count: z.int() }))

export const feedbackFiguresQuery = z.object({
  from: z.iso.date().optional(),
  /** The last day that counts. */
  to: z.iso.date().optional(),
})
export const feedbackFiguresSchema = z.object({
  count: z.int(),
  /** −100 to 100: how many more recommend it than advise against it. Null: nobody was asked. */
  nps: z.int().min(-100).max(100).nullable(),
  /** Of each rate so many, 0 first. */
  rates: z.array(z.int()),
  /** Month by month, oldest first; `yyyy-mm`. */
  months: z.array(z.object({ month: z.string(), count: z.int(), nps: z.int().nullable() })),
  causes: share(reviewCauses),
  advantages: share(reviewAdvantages),
  ages: share(reviewAges),
  /** Of solved tickets. */
  support: z.object({ good: z.int(), bad: z.int() }),
})
export type FeedbackFigures = z.infer<typeof feedbackFiguresSchema>

export const feedbackSchema = z.object({
  id: idSchema,
  user: z.object({ id: idSchema, username: z.string() }).nullable(),
  rate: z.int(),
  causes: z.array(z.enum(reviewCauses)),
  advantages: z.array(z.enum(reviewAdvantages)),
  comment: z.string(),
  language: languageSchema,
  /** Its writer agrees to others reading it. */
  may_publish: z.boolean(),
  published_at: timeSchema.nullable(),
  created_at: timeSchema,
})
export type Feedback = z.infer<typeof feedbackSchema>

export const feedbackKinds = ['promoters', 'passives', 'detractors'] as const
export const feedbackQuery = feedbackFiguresQuery.extend({
  kind: z.enum(feedbackKinds).optional(),
  /** Only what says something. */
  commented: z.literal('1').optional(),
  offset: z.coerce.number().int().min(0).max(100_000).default(0),
  limit: z.coerce.number().int().min(1).max(100).default(25),
})

export const publicReviewSchema = z.object({
  id: idSchema,
  username: z.string(),
  rate: z.int(),
  comment: z.string(),
  language: languageSchema,
  created_at: timeSchema,
})
