/** Further machines of clusters, on which an agent places servers, and how they join. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'

/** Of the machine, for people; one in a cluster. */
const machineName = z
  .string()
  .trim()
  .regex(/^[a-z0-9]([a-z0-9.-]{0,38}[a-z0-9])?$/, 'host_label')
const hostName = z
  .string()
  .max(253)
  .regex(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i, 'host_name')

/** What an agent sends when it joins; `proof` shows that it has the secret of its token (`joining.ts` of the protocol). */
export const joinAgentBody = z.strictObject({
  token_id: idSchema,
  name: machineName,
  /** Where it is reached; null: at the address that it comes from. */
  host: z.union([z.ipv4(), z.ipv6(), hostName]).nullable(),
  port: z.int().min(1).max(65_535),
  certificate: z
    .string()
    .max(4_000)
    .regex(/^-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*$/),
  proof: z.string().regex(/^[0-9a-f]{64}$/),
})
export const admittedSchema = z.object({
  id: idSchema,
  /** SPKI PEM, of whom it is to obey from now on. */
  public_key: z.string().max(1_000),
  signature: z.string().regex(/^[0-9a-f]{128}$/),
})

/** Good for one machine. It is told once. */
export const agentTokenSchema = z.object({ token: z.string(), expires_at: timeSchema })

export const shownAgentSchema = z.object({
  id: idSchema,
  name: z.string(),
  host: z.string(),
  port: z.int(),
  /** SHA-256 of its certificate, as its own log tells it. */
  fingerprint: z.string(),
  /** It takes no servers that are not there already. */
  draining: z.boolean(),
  joined_at: timeSchema,
  /** Whose files are there. */
  servers: z.int(),
})
export type ShownAgent = z.infer<typeof shownAgentSchema>

export const changeAgentBody = z.strictObject({ draining: z.boolean() })
