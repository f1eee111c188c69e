import type { z } from 'zod'

export type JsonFault = { place: string; reason: string }

/** What is wrong with a text that should be JSON of a schema, place by place; else its value. */
export function readJson<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): { value: z.output<Schema> } | { faults: readonly JsonFault[] } {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    return { faults: [{ place: '', reason: (error as Error).message }] }
  }
  const result = schema.safeParse(parsed)
  if (result.success) return { value: result.data }
  return { faults: result.error.issues.map(({ path, message }) => ({ place: path.join('.'), reason: message })) }
}
