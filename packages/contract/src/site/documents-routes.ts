import { z } from 'zod'
import {
  documentVersionSchema,
  legalDocumentSchema,
  legalSlugSchema,
  pageSlugSchema,
  wordPageSchema,
} from './document.ts'
import { languageSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'

const tag = 'Documents'
const language = languageSchema.default('en')

export const getDocument = defineRoute({
  method: 'GET',
  path: '/documents/:slug',
  tag,
  summary: 'Get a legal document: the version in force, or the one requested',
  access: { kind: 'public' },
  params: z.object({ slug: legalSlugSchema }),
  query: z.object({ language, version: documentVersionSchema.optional() }),
  responses: { 200: legalDocumentSchema },
  errors: ['resource_not_found'],
})
export const getWordPage = defineRoute({
  method: 'GET',
  path: '/pages/:slug',
  tag,
  summary: 'Get the texts of a public page',
  access: { kind: 'public' },
  params: z.object({ slug: pageSlugSchema }),
  query: z.object({ language }),
  responses: { 200: wordPageSchema },
  errors: [],
})
