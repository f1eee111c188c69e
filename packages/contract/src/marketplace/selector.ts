/** How packages are named and asked for, as texts: the one grammar of authors, people and the solver. */
import { z } from 'zod'

/** As much as a hundred versions of the game take. */
export const longestRange = 1500
export const longestSelector = 512

/** `paper`, or `modrinth:P7dR8mSH` for what another marketplace keeps: `source:project`. */
export const packageNameSchema = z
  .string()
  .regex(/^([a-z0-9][a-z0-9._-]{0,127}|(?!provides:)[a-z]{1,20}:[A-Za-z0-9][A-Za-z0-9._-]{0,127})$/, 'package_name')

const written = /^(provides:)?([^@#\s]+)(?:@([^#]+)|#([^@]+))?$/

/** `name`, `name@range`, `name#tag`, `provides:name@range`, in parts; null: it is none of these. */
export function readSelectorText(
  text: string,
): { name?: string; provides?: string; expr?: string; tag?: string } | null {
  const match = text.length > longestSelector ? null : written.exec(text.trim())
  if (!match) return null
  const [, provides, name, expr, tag] = match
  return {
    ...(provides ? { provides: name! } : { name: name! }),
    ...(expr === undefined ? {} : { expr: expr.trim() }),
    ...(tag === undefined ? {} : { tag }),
  }
}
