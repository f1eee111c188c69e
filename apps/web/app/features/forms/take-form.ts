import type { z } from 'zod'
import { errorBodyOf } from '#app/ui/error-text.ts'
import { type FormAnswer, reasonsFrom, reasonsOf } from '#app/ui/form-reasons.ts'

const secret = new Set(['password'])

/**
 * For actions: takes a form that a browser without scripts has sent.
 * @param fields every field with its empty value; a boolean is a checkbox.
 * @param refuse reasons of fields that an error of `send` tells.
 * @returns null when it was taken, else what to show beside what was typed.
 */
export async function takeForm<Schema extends z.ZodObject>(
  request: Request,
  {
    schema,
    fields,
    send,
    refuse = () => ({}),
  }: {
    schema: Schema
    fields: Record<string, string | boolean>
    send: (body: z.output<Schema>) => Promise<unknown>
    refuse?: (error: unknown) => Record<string, string>
  },
): Promise<FormAnswer | null> {
  const form = await request.formData()
  const values = Object.fromEntries(
    Object.entries(fields).map(([name, empty]) => {
      const given = form.get(name)
      return [name, typeof empty === 'boolean' ? given !== null : typeof given === 'string' ? given : empty]
    }),
  )
  const shown = Object.fromEntries(Object.entries(values).filter(([name]) => !secret.has(name)))
  const parsed = schema.safeParse(values)
  if (!parsed.success) return { values: shown, reasons: reasonsOf(schema, values), failure: undefined }
  try {
    await send(parsed.data)
    return null
  } catch (error) {
    const body = errorBodyOf(error)
    if (body === undefined) throw error
    const reasons = { ...reasonsFrom(body, Object.keys(fields)), ...refuse(error) }
    return { values: shown, reasons, failure: Object.keys(reasons).length === 0 ? body.error : undefined }
  }
}
