/** A website with its content, as its owner has it. */
import { z } from 'zod'
import { timeSchema } from '../primitives.ts'
import { craftumSchema, websiteNameSchema } from '../sales/craftum.ts'
import { contentSchema, websiteImageName } from './content.ts'

export const craftumParametersSchema = z.object({
  craftum: craftumSchema,
  /** As it was saved last, published or not. */
  content: contentSchema,
  /** Grows with each change of the content: whoever saves says on which one theirs is built. */
  revision: z.int(),
  saved_at: timeSchema,
  published_version: z.int().nullable(),
})
export type CraftumParameters = z.infer<typeof craftumParametersSchema>

/** A picture of a website: drawn anew, at most 1920 pixels wide and high. */
export const websiteImageSchema = z.object({
  name: websiteImageName,
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
  /** Below the panel's address. */
  url: z.string(),
})
export type WebsiteImage = z.infer<typeof websiteImageSchema>

export const changeCraftumBody = z.object({
  name: websiteNameSchema.optional(),
  content: contentSchema.optional(),
  /** Of the content that this one is built on; needed with a content. */
  revision: z.int().min(1).optional(),
})

export const websiteVersionSchema = z.object({
  version: z.int(),
  created_at: timeSchema,
  /** How many pages and blocks it has. */
  pages: z.int(),
  blocks: z.int(),
})
export type WebsiteVersion = z.infer<typeof websiteVersionSchema>
