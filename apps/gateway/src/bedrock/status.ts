/** The pongs of the server list: always the gateway's own, since a game that sleeps has none. */
import { createHash } from 'node:crypto'
import { pingBedrockServer } from '@wakestone/bedrock/ping-server'
import { writePong } from '@wakestone/bedrock/raknet'
import { type BedrockStatus, formatBedrockStatus } from '@wakestone/bedrock/status'
import type { Wakes } from '../waking/wakes.ts'
import type { BedrockRoute } from './routes.ts'
import { listText } from './texts.ts'

/** A running game is asked so often at most. */
const FRESH_MS = 2_000
/** Shown of a game that nobody has seen running yet. */
const newest = { protocol: 1001, version: '1.26.51' }

export type StatusBook = { answer(route: BedrockRoute, time: Buffer): Buffer; guidOf(serverId: string): bigint }

export function createStatusBook(wakes: Wakes): StatusBook {
  const last = new Map<string, { status: BedrockStatus; at: number }>()
  const asking = new Set<string>()
  const guids = new Map<string, bigint>()

  function guidOf(serverId: string): bigint {
    let guid = guids.get(serverId)
    if (guid === undefined) {
      guid = createHash('sha256').update(serverId).digest().readBigUInt64BE()
      guids.set(serverId, guid)
    }
    return guid
  }

  function ask({ serverId, backend }: BedrockRoute): void {
    if (backend === null || asking.has(serverId)) return
    asking.add(serverId)
    pingBedrockServer({ ...backend, timeoutMs: FRESH_MS })
      .then((status) => last.set(serverId, { status, at: performance.now() }))
      .catch(() => {}) // a game that says nothing is shown as it was last seen
      .finally(() => asking.delete(serverId))
  }

  return {
    guidOf,
    answer(route, time) {
      const { serverId, serverName, maxPlayers, bedrock, face } = route
      const known = last.get(serverId)
      if (route.state === 'running' && performance.now() - (known?.at ?? -Infinity) > FRESH_MS) ask(route)
      const seen = known?.status
      const status: BedrockStatus = {
        subMotd: seen?.subMotd ?? serverName,
        gamemode: seen?.gamemode ?? 'Survival',
        protocol: seen?.protocol ?? face?.versionProtocol ?? newest.protocol,
        version: seen?.version ?? face?.version ?? newest.version,
        max: seen?.max ?? face?.max ?? maxPlayers ?? 0,
        serverId: seen?.serverId ?? String(guidOf(serverId) >> 1n),
        ...(route.state === 'running'
          ? { motd: seen?.motd ?? serverName, online: seen?.online ?? 0 }
          : { motd: listText(route, wakes), online: 0 }),
      }
      // A full server is greyed out; one that sleeps has room.
      if (route.state !== 'running' && status.max < 1) status.max = 1
      return writePong({ time, guid: guidOf(serverId), text: formatBedrockStatus(status, bedrock.port) })
    },
  }
}
