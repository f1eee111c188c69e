/** Websites from the builder. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'

export const craftumSchema = z.object({
  id: idSchema,
  service_id: idSchema,
  product_id: z.string(),
  created_at: timeSchema,
  expires: timeSchema.nullable(),
})
export type Craftum = z.infer<typeof craftumSchema>
