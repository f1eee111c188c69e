/** What every connection of one gateway shares. */
import type { Socket } from 'node:net'
import type { Logger } from '@wakestone/kit/logger'
import type { Guard } from './antibot/guard.ts'
import type { AddressLimits } from './address-limits.ts'
import type { Metrics } from './metrics.ts'
import type { RouteTable } from './route-table.ts'
import type { Places } from './waking/places.ts'
import type { Transfers } from './waking/transfers.ts'
import type { Wakes } from './waking/wakes.ts'

/** A player's connection that is joined to a game. */
export type Joined = {
  /** The game's end. */
  backend: Socket
  serverId: string
  address: string
  /** It is no mere look at the server list. */
  isPlayer: boolean
}

export type GatewayContext = {
  routes: RouteTable
  limits: AddressLimits
  metrics: Metrics
  logger: Logger
  /** By the player's connection. */
  joined: Map<Socket, Joined>
  wakes: Wakes
  /** For players who wait for a game. */
  places: Places
  transfers: Transfers
  antibot: Guard
  /** For newcomers who show that they are people. */
  checkPlaces: Places
  /** Expect a PROXY header in front of every connection. */
  proxyIn: boolean
  /** From the first byte to the last one of an answer of ours. */
  handshakeMs: number
  /** How long a game may take to accept a connection. */
  dialMs: number
}
