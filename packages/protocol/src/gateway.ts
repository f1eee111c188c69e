/**
 * Messages between the control plane and a gateway.
 *
 *   GET  /internal/gateway/routes  (Authorization: Bearer <gateway token>)
 *        → NDJSON, never ending: first one `snapshot`, then `set` and `remove` as things change,
 *          and a `ping` every 10 s so that a dead peer is noticed.
 *   POST /internal/gateway/wake    a player knocks at a sleeping server; `gatewayWake` of the contract
 *   POST /internal/gateway/antibot what came of joins, minute by minute; `gatewayAntibot` of the contract
 *
 * A gateway says in the header of `versions.ts` what it speaks; none means version 1.
 *
 *   1  the first one
 *   2  knows servers that sleep; to gateways of version 1 these are told as `stopped`. A snapshot may come in pieces
 *
 * Within a version, fields and states may be added: a field that is not known is left out, and a state that is not
 * known is read as `stopped`.
 */
import { z } from 'zod'
import { agentAddressSchema, tunnelEndpointSchema } from './agent-address.ts'
import { doorSchema, faceSchema } from './supervisor.ts'
import type { VersionRange } from './versions.ts'

export const gatewayVersions: VersionRange = { oldest: 1, newest: 2 }

/** What a player meets at this address. */
export const routeStates = [
  'running',
  'starting',
  'preparing',
  'stopping',
  'stopped',
  'crashed',
  'expired',
  'light_sleep', // the game is frozen: whoever holds its ticket thaws it
  'asleep', // there is no game: the control plane wakes it
] as const
export type RouteState = (typeof routeStates)[number]

/** States that a gateway of version 1 does not know. */
export const sleepingStates: readonly RouteState[] = ['light_sleep', 'asleep']

const thawSchema = z.object({
  endpoint: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('unix'), path: z.string() }),
    z.object({ kind: z.literal('http'), url: z.string() }),
    tunnelEndpointSchema,
  ]),
  /** Bearer token that is good for nothing but this. */
  ticket: z.string(),
})
export type ThawGrant = z.infer<typeof thawSchema>

/** With what a gateway reaches a game on the machine of an agent. */
const waySchema = z.object({
  agent: agentAddressSchema,
  /** Token that is good for nothing but a way to this game. */
  ticket: z.string(),
})
export type GameWay = z.infer<typeof waySchema>

const portSchema = z.object({
  port: z.number().int().min(1).max(65_535),
  target: z.number().int().min(1).max(65_535),
})

/** What is missing, or said in a way unknown here, is null. */
const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullable().default(null).catch(null)

export const routeSchema = z.object({
  serverId: z.uuid(),
  /** Lower case, no trailing dot. One server may have several routes. */
  host: z.string(),
  serverName: z.string(),
  state: z.enum(routeStates).catch('stopped'),
  /** Where the game listens; only with the states `running` and `light_sleep`. */
  backend: z.object({ host: z.string(), port: z.number().int() }).nullable(),
  /** The game is reached through an agent and not at the address of `backend`, where nobody else gets in. */
  way: optional(waySchema),
  maxPlayers: z.number().int().nullable(),
  /** Language of the messages players read. */
  language: z.enum(['en', 'pl', 'de']),
  /** Speak PROXY protocol v2 to the backend. */
  proxyProtocol: z.boolean(),
  /** How to thaw the game; only with the state `light_sleep`. */
  thaw: optional(thawSchema),
  /** Whether a player who joins may have the game brought up, or that is under way. */
  canWake: z.boolean().default(false).catch(false),
  /** Whether those who join may wait in a room of ours: clients with Forge's mods leave every game that has not the same. */
  hasRoom: z.boolean().default(true).catch(true),
  /** Seconds that the game takes from a wake until players can join, by its own past starts. */
  expectedSeconds: optional(z.number().min(0).max(3600)),
  /** It takes players of every version: a proxy answers each in theirs. */
  anyVersion: z.boolean().default(false).catch(false),
  /** What the game last said of itself in the server list; only of one that is not up. */
  face: optional(faceSchema),
  /** Whom it would not let in; only of one that is not up. */
  door: optional(doorSchema),
  /** Since when it sleeps. */
  sleptAt: optional(z.string()),
  /** Of a server of Bedrock Edition: the port at which its players knock, by UDP, and where `signalling` by TCP too. */
  bedrock: optional(
    z.object({
      port: z.number().int().min(1).max(65_535),
      /** Its game is asked by HTTP who may come in (NetherNet). */
      signalling: z.boolean().default(false),
    }),
  ),
  /**
   * Ports of the server beside the game's own, TCP and UDP together, and where they arrive at the host of `backend`. They
   * lead there while that is known and the game runs.
   */
  ports: z.array(portSchema).default([]).catch([]),
  /**
   * Newcomers are looked at: always, or while bots attack. `known`: who is none, as `antibot.ts` marks them. Null: nobody is
   * looked at.
   */
  antibot: optional(z.object({ mode: z.enum(['on', 'automatic']), known: z.string() })),
})
export type Route = z.infer<typeof routeSchema>

export const routeMessageSchema = z.discriminatedUnion('type', [
  /** `more`: further ones follow at once, and only together they are whole; since version 2. */
  z.object({ type: z.literal('snapshot'), routes: z.array(routeSchema), more: z.boolean().optional() }),
  z.object({ type: z.literal('set'), route: routeSchema }),
  z.object({ type: z.literal('remove'), host: z.string() }),
  z.object({ type: z.literal('ping') }),
])
export type RouteMessage = z.infer<typeof routeMessageSchema>

/** What a route is where it says nothing else: with many of them, most of the text would be that. */
const usual: Partial<Route> = {
  way: null,
  thaw: null,
  canWake: false,
  hasRoom: true,
  anyVersion: false,
  expectedSeconds: null,
  face: null,
  door: null,
  sleptAt: null,
  bedrock: null,
  antibot: null,
}

/** A route as it is sent and kept: without what it is anyway for whoever reads it by the schema. */
export function briefRoute(route: Route): Partial<Route> {
  const brief: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(route))
    if (value !== (usual as Record<string, unknown>)[name]) brief[name] = value
  if (route.ports.length === 0) delete brief['ports']
  return brief
}

/** A snapshot in pieces of bounded size, so that neither side ever holds the text of all routes at once. */
export function* snapshotPieces(routes: Route[]): Generator<RouteMessage> {
  for (let start = 0; start === 0 || start < routes.length; start += ROUTES_IN_PIECE) {
    const end = start + ROUTES_IN_PIECE
    yield { type: 'snapshot', routes: routes.slice(start, end), more: end < routes.length }
  }
}
const ROUTES_IN_PIECE = 100
