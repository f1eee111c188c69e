/** What every connection of one gateway shares. */
import type { Socket } from 'node:net'
import type { Logger } from '@wakestone/kit/logger'
import type { AddressLimits } from './address-limits.ts'
import type { Metrics } from './metrics.ts'
import type { RouteTable } from './route-table.ts'

export type GatewayContext = {
  routes: RouteTable
  limits: AddressLimits
  metrics: Metrics
  logger: Logger
  /** Players' connections that are joined to a game, and the game's end of each. */
  joined: Map<Socket, Socket>
  /** Expect a PROXY header in front of every connection. */
  proxyIn: boolean
  /** From the first byte to the last one of an answer of ours. */
  handshakeMs: number
  /** How long a game may take to accept a connection. */
  dialMs: number
}
