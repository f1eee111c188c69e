/** Rules for what authors type; forms and API share them. */
import { z } from 'zod'
import { slugFrom } from '../validation.ts'
import { isReservedName } from '../servers/package-loaders.ts'
import { projectLimits } from './values.ts'

const { slug, name, shortDescription, description } = projectLimits

/** Addresses of the product's own, and names that would pass for it. */
const reservedSlugs = new Set(
  (
    'projects project new create edit releases release search follows follow reviews metrics media members ' +
    'categories category labels label moderation admin api app apps m marketplace official wakestone support ' +
    'staff team system featured contest null undefined'
  ).split(' '),
)
const uuid = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** Whether it may be a project's address. What looks like an id would be taken for one. */
export function isGoodSlug(text: string): boolean {
  return (
    text.length >= slug.min &&
    text.length <= slug.max &&
    /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) &&
    !uuid.test(text) &&
    !reservedSlugs.has(text) &&
    !isReservedName(text)
  )
}
/** The name as an address, with room for a suffix. */
export const slugFromName = (text: string) => slugFrom(text, slug.max - 5)

/** Characters that turn the direction of text, or cannot be seen, make a name pass for another. */
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u
const oneLine = (least: number, most: number, reason: string) =>
  z
    .string()
    .trim()
    .min(least, reason)
    .max(most, reason)
    .refine((text) => !hidden.test(text), reason)

export const projectNameSchema = oneLine(name.min, name.max, 'project_name')
export const shortDescriptionSchema = oneLine(shortDescription.min, 10_000, 'short_description')
/** Longer ones have an error of their own; see `descriptionProblems`. */
export const descriptionSchema = z.string().max(4 * description)
export const labelSchema = z.string().regex(/^(?=.{2,32}$)[a-z0-9]+(-[a-z0-9]+)*$/, 'label')
export const versionSchema = z.string().regex(/^[0-9A-Za-z][0-9A-Za-z.+_-]{0,63}$/, 'version')
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/, 'sha256')
export const releaseIdSchema = z.string().regex(/^[0-9a-z]{13}$/)
/** Of a project: its slug or its id. */
export const projectKeySchema = z.string().min(1).max(64)
/** One component of a path, without what some systems give a meaning of its own. */
export const artifactNameSchema = z
  .string()
  .min(5, 'file_name')
  .max(128, 'file_name')
  .regex(/^(?!\.)(?!(con|prn|aux|nul|com\d|lpt\d)\.)[A-Za-z0-9 ._+()-]+\.(jar|zip|tgz|tar\.gz)$/i, 'file_name')
export const websiteSchema = z.url({ protocol: /^https$/, error: 'url' }).max(500)
