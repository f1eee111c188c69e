/** Where players are, asked of a game that runs while somebody looks at its map; once for all who do. */
import type { MapDimension, ShownMap } from '@wakestone/contract/servers/mapview'
import type { PlayerPosition } from '@wakestone/protocol/supervisor'
import type { Context } from '#src/context.ts'
import type { ServerRow } from '#src/features/servers/servers/service.ts'

type Deps = Pick<Context, 'fleet'>
type ShownPlayers = NonNullable<ShownMap['players']>

/** The supervisor asks its game no oftener than this either. */
const keptMilliseconds = 5_000
/** A page waits no longer for it; those who look next are told what came. */
const waitMilliseconds = 2_500
const mostKept = 1_000

const kept = new Map<string, { at: number; positions: Promise<PlayerPosition[]> }>()

/** @returns null where it is not known: the game does not run, or nobody answers for it. */
export async function findPlayers(
  deps: Deps,
  server: ServerRow,
  dimensions: readonly MapDimension[],
): Promise<ShownPlayers | null> {
  if (server.phase !== 'running') return null
  if (server.players_online === 0) return []
  const positions = await Promise.race([
    ask(deps, server.id).catch(() => null),
    new Promise<null>((resolve) => setTimeout(resolve, waitMilliseconds, null).unref()),
  ])
  return positions && placeOnMap(positions, dimensions)
}

function ask({ fleet }: Deps, serverId: string): Promise<PlayerPosition[]> {
  const now = Date.now()
  const known = kept.get(serverId)
  if (known !== undefined && now - known.at < keptMilliseconds) return known.positions
  const positions = fleet.find(serverId).then((supervisor) => supervisor?.positions() ?? [])
  positions.catch(() => {}) // seen by whoever waits for it
  kept.delete(serverId)
  kept.set(serverId, { at: now, positions })
  if (kept.size > mostKept) kept.delete(kept.keys().next().value!)
  return positions
}

/** Only those in the world that is played, which comes first. Pure. */
export function placeOnMap(
  positions: readonly PlayerPosition[],
  dimensions: readonly Pick<MapDimension, 'id' | 'world' | 'dimension'>[],
): ShownPlayers {
  const played = dimensions.filter(({ world }) => world === dimensions[0]?.world)
  return positions.flatMap(({ name, x, z, dimension }) => {
    const place = played.find((one) => one.dimension === dimension.replace(/^minecraft:/, ''))
    return place === undefined ? [] : [{ name, dimension: place.id, x: Math.floor(x), z: Math.floor(z) }]
  })
}
