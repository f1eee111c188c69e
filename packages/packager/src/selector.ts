/** Selectors: how a person or a package names the packages it wants. */
import { longestRange, packageNameSchema, readSelectorText } from '@wakestone/contract/marketplace/selector'
import { z } from 'zod'
import { isRange } from './versions/range.ts'

export const selectorSchema = z
  .object({
    name: packageNameSchema.optional(),
    /** A release channel: `stable`, `latest`. */
    tag: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/)
      .optional(),
    /** A range of versions, as in `>=1.2 <2`. */
    expr: z.string().min(1).max(longestRange).refine(isRange, 'no range of versions').optional(),
    /** Any package that provides this. */
    provides: packageNameSchema.optional(),
    labels: z.record(z.string(), z.string()).optional(),
  })
  .refine(
    ({ name, provides }) => name !== undefined || provides !== undefined,
    'a selector names a package or what it provides',
  )
export type Selector = z.infer<typeof selectorSchema>

/** A text that is no selector. */
export class SelectorError extends Error {}

/**
 * Reads a selector: `name`, `name@range`, `name#tag`, `provides:name@range`, or the object that those stand for.
 * @throws SelectorError
 */
export function parseSelector(input: unknown): Selector {
  const result = selectorSchema.safeParse(typeof input === 'string' ? readSelectorText(input) : input)
  if (!result.success) throw new SelectorError(`no package selector: ${JSON.stringify(input)}`)
  return result.data
}

/** Either spelling of a selector in a manifest: the text, or the object. */
export const writtenSelectorSchema = z.union([
  z.string().refine((text) => selectorSchema.safeParse(readSelectorText(text)).success, 'no package selector'),
  selectorSchema,
])
export type WrittenSelector = z.infer<typeof writtenSelectorSchema>

/** The shortest text for a selector, or null when only an object can say it. */
export function formatSelector(selector: Selector): string | null {
  const { name, provides, expr, tag, labels } = selector
  if (
    labels !== undefined ||
    (name !== undefined && provides !== undefined) ||
    (expr !== undefined && tag !== undefined)
  )
    return null
  const subject = name ?? `provides:${provides}`
  const text = `${subject}${expr === undefined ? '' : `@${expr}`}${tag === undefined ? '' : `#${tag}`}`
  // An expression of odd characters may read back otherwise; then the text is no text for it.
  return expr !== undefined && (expr.includes('#') || expr !== expr.trim()) ? null : text
}
