/** Copies of what is kept of a user. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'

export const dataExportSchema = z.object({
  id: idSchema,
  state: z.enum(['pending', 'ready', 'failed', 'expired']),
  created_at: timeSchema,
  ready_at: timeSchema.nullable(),
  /** When the file is deleted. */
  expires_at: timeSchema.nullable(),
  bytes: z.int().nullable(),
})
export type DataExport = z.infer<typeof dataExportSchema>
