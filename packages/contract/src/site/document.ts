/** Texts that an operator may replace: legal documents and the public pages made of words. */
import { z } from 'zod'

export const legalSlugs = [
  'terms-of-service',
  'privacy-policy',
  'terms-and-conditions',
  'store-terms',
  'newsletter-terms',
] as const
export const legalSlugSchema = z.enum(legalSlugs)
export type LegalSlug = z.infer<typeof legalSlugSchema>

export const pageSlugs = ['parents', 'partnership', 'affiliate'] as const
export const pageSlugSchema = z.enum(pageSlugs)
export type PageSlug = z.infer<typeof pageSlugSchema>

/** Names a version of a document; also the name of the folder that keeps an earlier one. */
export const documentVersionSchema = z.string().regex(/^\d[\w-]{0,15}(?:\.[\w-]{1,15}){0,3}$/)

const versionSchema = z.object({ version: documentVersionSchema, date: z.iso.date() })
const headingSchema = z.object({ id: z.string(), level: z.int().min(2).max(6), text: z.string() })

export const legalDocumentSchema = versionSchema.extend({
  slug: legalSlugSchema,
  title: z.string(),
  /** Written as an example, for the operator to have checked. */
  is_sample: z.boolean(),
  /** Safe to show as it is: what the source wrote as HTML is escaped. */
  html: z.string(),
  headings: z.array(headingSchema),
  /** The version that applies now: the newest whose date has come. */
  current_version: documentVersionSchema,
  /** All that are kept, newest first; one with a later date is announced and not yet in force. */
  versions: z.array(versionSchema),
})
export type LegalDocument = z.infer<typeof legalDocumentSchema>

/** How the parts of a section are laid out. */
export const sectionKinds = ['text', 'cards', 'facts', 'steps', 'questions'] as const
export type SectionKind = (typeof sectionKinds)[number]
const linkSchema = z.object({ label: z.string(), to: z.string() })

export const wordPageSchema = z.object({
  slug: pageSlugSchema,
  title: z.string(),
  lead: z.string(),
  /** What the page asks to do, the main thing first. */
  actions: z.array(linkSchema),
  /** Not there yet. */
  is_soon: z.boolean(),
  sections: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      kind: z.enum(sectionKinds),
      is_soon: z.boolean(),
      html: z.string(),
      items: z.array(
        z.object({ title: z.string(), icon: z.string().nullable(), is_soon: z.boolean(), html: z.string() }),
      ),
    }),
  ),
})
export type WordPage = z.infer<typeof wordPageSchema>
