/** Selectors: how a person or a package names the packages it wants. */
import { z } from 'zod'
import { isRange, MAX_RANGE_LENGTH } from './versions/range.ts'

/** `paper`, or `modrinth:P7dR8mSH` for what another marketplace keeps: `source:project`. */
export const packageNameSchema = z
  .string()
  .regex(/^([a-z0-9][a-z0-9._-]{0,127}|(?!provides:)[a-z]{1,20}:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$/)

export const selectorSchema = z
  .object({
    name: packageNameSchema.optional(),
    /** A release channel: `stable`, `latest`. */
    tag: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/)
      .optional(),
    /** A range of versions, as in `>=1.2 <2`. */
    expr: z.string().min(1).max(MAX_RANGE_LENGTH).refine(isRange, 'no range of versions').optional(),
    /** Any package that provides this. */
    provides: packageNameSchema.optional(),
    labels: z.record(z.string(), z.string()).optional(),
  })
  .refine(
    ({ name, provides }) => name !== undefined || provides !== undefined,
    'a selector names a package or what it provides',
  )
export type Selector = z.infer<typeof selectorSchema>

const MAX_TEXT = 512

/** A text that is no selector. */
export class SelectorError extends Error {}

/**
 * Reads a selector: `name`, `name@range`, `name#tag`, `provides:name@range`, or the object that those stand for.
 * @throws SelectorError
 */
export function parseSelector(input: unknown): Selector {
  const result = selectorSchema.safeParse(typeof input === 'string' ? readText(input) : input)
  if (!result.success) throw new SelectorError(`no package selector: ${JSON.stringify(input)}`)
  return result.data
}

function readText(text: string): unknown {
  const match = text.length > MAX_TEXT ? null : /^(provides:)?([^@#\s]+)(?:@([^#]+)|#([^@]+))?$/.exec(text.trim())
  if (!match) return null
  const [, provides, name, expr, tag] = match
  return {
    ...(provides ? { provides: name } : { name }),
    ...(expr === undefined ? {} : { expr: expr.trim() }),
    ...(tag === undefined ? {} : { tag }),
  }
}

/** Either spelling of a selector in a manifest: the text, or the object. */
export const writtenSelectorSchema = z.union([
  z.string().refine((text) => selectorSchema.safeParse(readText(text)).success, 'no package selector'),
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
