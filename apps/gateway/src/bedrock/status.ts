/** The pongs of the server list: always the gateway's own, since a game that sleeps has none. */
import { createHash } from 'node:crypto'
import { askJoinStatus, type JoinStatus } from '@wakestone/bedrock/joining'
import { pingBedrockServer } from '@wakestone/bedrock/ping-server'
import { writePong } from '@wakestone/bedrock/raknet'
import { type BedrockStatus, formatBedrockStatus } from '@wakestone/bedrock/status'
import type { Wakes } from '../waking/wakes.ts'
import type { BedrockRoute } from './routes.ts'
import { listText } from './texts.ts'

/** A running game is asked so often at most. */
const FRESH_MS = 2_000
/** Shown of a game that nobody has seen running yet. */
const newest = { protocol: 2193, version: '1.26.51' }

export type StatusBook = {
  /** Of RakNet's list of servers. */
  answer(route: BedrockRoute, time: Buffer): Buffer
  /** Of NetherNet's; undefined: a game that runs has not said anything yet. */
  joinStatus(route: BedrockRoute): Promise<JoinStatus | undefined>
  guidOf(serverId: string): bigint
}

const nothing = Promise.resolve(undefined)

export function createStatusBook(wakes: Wakes): StatusBook {
  const last = new Map<string, { status: BedrockStatus; at: number }>()
  const asking = new Set<string>()
  const joins = new Map<string, { asked: Promise<JoinStatus | undefined>; at: number }>()
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

  /** What a running game said within the last two seconds, however many ask. */
  function askGame({ serverId, backend }: BedrockRoute): Promise<JoinStatus | undefined> {
    const known = joins.get(serverId)
    if (backend === null || (known && performance.now() - known.at < FRESH_MS)) return known?.asked ?? nothing
    const asked = askJoinStatus({ ...backend, timeoutMs: FRESH_MS }).catch(() => known?.asked)
    joins.set(serverId, { asked, at: performance.now() })
    return asked
  }

  return {
    guidOf,
    async joinStatus(route) {
      if (route.state === 'running') return askGame(route)
      const seen = await joins.get(route.serverId)?.asked
      return {
        name: listText(route, wakes),
        protocol: seen?.protocol ?? route.face?.versionProtocol ?? newest.protocol,
        version: seen?.version ?? route.face?.version ?? newest.version,
        level: seen?.level ?? route.serverName,
        players: 0,
        // A full server is greyed out; one that sleeps has room.
        maxPlayers: Math.max(1, seen?.maxPlayers ?? route.face?.max ?? route.maxPlayers ?? 1),
        gameType: seen?.gameType ?? 0,
      }
    },
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
