/** Where an agent is reached, and what is reached through it. */
import { z } from 'zod'

export const agentAddressSchema = z.object({
  host: z.string().min(1).max(253),
  port: z.number().int().min(1).max(65_535),
  /** Of the agent's own making, PEM. */
  certificate: z.string().max(4_000),
})
export type AgentAddress = z.infer<typeof agentAddressSchema>

/** What of a server is reached through an agent by HTTP. */
export const tunnelEndpointSchema = z.object({
  kind: z.literal('agent'),
  agent: agentAddressSchema,
  serverId: z.uuid(),
  to: z.enum(['supervisor', 'files']),
})
export type TunnelEndpoint = z.infer<typeof tunnelEndpointSchema>
