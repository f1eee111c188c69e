/**
 * Messages between the control plane and a gateway, version 1.
 *
 *   GET /internal/gateway/routes  (Authorization: Bearer <gateway token>)
 *       → NDJSON, never ending: first one `snapshot`, then `set` and `remove` as things change,
 *         and a `ping` every 10 s so that a dead peer is noticed.
 */
import { z } from 'zod'

/** What a player meets at this address. */
export const routeStates = ['running', 'starting', 'preparing', 'stopping', 'stopped', 'crashed', 'expired'] as const

export const routeSchema = z.object({
  serverId: z.uuid(),
  /** Lower case, no trailing dot. One server may have several routes. */
  host: z.string(),
  serverName: z.string(),
  state: z.enum(routeStates),
  /** Where the game listens; only with state `running`. */
  backend: z.object({ host: z.string(), port: z.number().int() }).nullable(),
  maxPlayers: z.number().int().nullable(),
  /** Language of the messages players read. */
  language: z.enum(['en', 'pl', 'de']),
  /** Speak PROXY protocol v2 to the backend. */
  proxyProtocol: z.boolean(),
})
export type Route = z.infer<typeof routeSchema>

export const routeMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('snapshot'), routes: z.array(routeSchema) }),
  z.object({ type: z.literal('set'), route: routeSchema }),
  z.object({ type: z.literal('remove'), host: z.string() }),
  z.object({ type: z.literal('ping') }),
])
export type RouteMessage = z.infer<typeof routeMessageSchema>
