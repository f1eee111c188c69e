/** A website with its content, as its owner has it. */
import { z } from 'zod'
import { timeSchema } from '../primitives.ts'
import { craftumSchema, websiteNameSchema } from '../sales/craftum.ts'
import { contentSchema, websiteImageName } from './content.ts'

export const websiteImageSchema = z.object({
  name: websiteImageName,
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
  created_at: timeSchema,
})
export type WebsiteImage = z.infer<typeof websiteImageSchema>

/** How far a domain of the owner's own is; `record` is what has to stand in its zone. */
export const ownDomainSchema = z.object({
  domain: z.string(),
  record: z.object({ name: z.string(), type: z.literal('TXT'), value: z.string() }),
  /** Where the domain itself has to lead, as a CNAME. */
  target: z.string(),
  /** Since when it is known to be the owner's; null: not yet, or not any more. */
  proved_at: timeSchema.nullable(),
  checked_at: timeSchema.nullable(),
  /** Since when the record could not be found although it was there once. */
  missing_since: timeSchema.nullable(),
})
export type OwnDomain = z.infer<typeof ownDomainSchema>

export const craftumParametersSchema = z.object({
  craftum: craftumSchema,
  /** As it was saved last, published or not. */
  content: contentSchema,
  /** Grows with each change of the content: whoever saves says on which one theirs is built. */
  revision: z.int(),
  saved_at: timeSchema,
  published_version: z.int().nullable(),
  images: z.array(websiteImageSchema),
  own_domain: ownDomainSchema.nullable(),
})
export type CraftumParameters = z.infer<typeof craftumParametersSchema>

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
