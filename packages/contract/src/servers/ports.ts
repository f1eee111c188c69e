/** Ports of a server beside the game's own, TCP and UDP together, through the gateway. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'

/** However many a plan and what was added to it come to. */
export const mostPorts = 10

export const portNameSchema = z
  .string()
  .trim()
  .min(1, 'required')
  .max(32, 'port_name')
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, 'port_name')

export const clusterPortSchema = z.object({
  port: z.int(),
  type: z.enum(['node_port', 'proxy']),
  name: z.string(),
  cluster_id: z.string(),
  /** Where it arrives inside the server's walls: the same number, since programs tell players the one they listen at. */
  target_port: z.int(),
  service_id: idSchema,
  /** Null: it came with the server. */
  created_by: idSchema.nullable(),
  updated_at: timeSchema.nullable(),
})
export type ClusterPort = z.infer<typeof clusterPortSchema>

export const portLimitsSchema = z.object({
  /** Ports that may be taken or exchanged in 24 hours, and how many are left of that. */
  limit: z.int(),
  availability: z.int(),
  /** When another may be taken; null: now. */
  next_available_at: timeSchema.nullable(),
  /** How many the server may have at a time. */
  quota: z.object({ available: z.int(), limit: z.int() }),
})
export type PortLimits = z.infer<typeof portLimitsSchema>
