/** Saved sets of capabilities: what operators call roles. */
import { z } from 'zod'
import { capabilityMapSchema, idSchema, timeSchema } from '../primitives.ts'

/** Dotted; an operator may use names of their own, for a cluster that only some may see. */
const capabilityName = z
  .string()
  .max(100)
  .regex(/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/, 'capability')
const capabilities = z
  .record(capabilityName, z.union([z.boolean(), z.number(), z.string().max(200)]))
  .refine((map) => Object.keys(map).length <= 100, 'too_many')

export const capabilitySetBody = z.object({
  name: z.string().trim().min(1, 'required').max(64),
  description: z.string().trim().max(255).default(''),
  capabilities,
})
export const capabilitySetSchema = z.object({
  id: idSchema,
  name: z.string(),
  description: z.string(),
  capabilities: capabilityMapSchema,
  updated_at: timeSchema,
  /** How many users have it. */
  holders: z.int(),
})
export type CapabilitySet = z.infer<typeof capabilitySetSchema>

export const capabilitySetHolderSchema = z.object({ id: idSchema, username: z.string(), given_at: timeSchema })
export type CapabilitySetHolder = z.infer<typeof capabilitySetHolderSchema>
/** By user name or e-mail address. */
export const giveCapabilitySetBody = z.object({ user: z.string().trim().min(1, 'required').max(254) })

/** What a user may do on the whole product, by where it comes from. */
export const userCapabilitySetsSchema = z.object({
  /** Their own, which come before those of any set. */
  granted: capabilityMapSchema,
  /** The set given last first: of two that say different things it counts. */
  sets: z.array(
    z.object({ id: idSchema, name: z.string(), description: z.string(), capabilities: capabilityMapSchema }),
  ),
})
export type UserCapabilitySets = z.infer<typeof userCapabilitySetsSchema>
