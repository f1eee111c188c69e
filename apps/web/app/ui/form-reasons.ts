/** Why values of a form do not fit: one reason per field, found by a schema of the contract or told by the API. */
import type { z } from 'zod'
import type { ErrorBody } from '@wakestone/contract/errors'

export type Reasons = Record<string, string>

/** What the server made of a form that was sent without scripts and was not taken. */
export type FormAnswer = {
  /** As typed, without what is secret. */
  values: Record<string, string | boolean>
  reasons: Reasons
  /** Code of an error that belongs to no field. */
  failure: string | undefined
}

export function reasonsOf(schema: z.ZodType, candidate: Record<string, unknown>): Reasons {
  const found: Reasons = {}
  for (const issue of schema.safeParse(candidate).error?.issues ?? []) {
    const name = String(issue.path[0])
    found[name] ??= candidate[name] === '' ? 'required' : issue.message
  }
  return found
}

/** The API names wrong values by their path, such as `body.email`. */
export function reasonsFrom(body: ErrorBody | undefined, names: readonly string[]): Reasons {
  const found: Reasons = {}
  if (body?.error !== 'invalid_request') return found
  for (const [path, reason] of Object.entries(body.fields ?? {})) {
    const name = path.split('.').find((part) => names.includes(part))
    if (name !== undefined) found[name] = String(reason)
  }
  return found
}
