/** Where somebody stands with their free server: asked again and again while it matters, also in a tab nobody looks at. */
import type { QueryClient } from '@tanstack/react-query'
import type { ApiClient } from '@wakestone/contract/client'
import type { FreePlay } from '@wakestone/contract/servers/free-play'
import { getFreeAvailability, getFreePlay, getFreeSession } from '@wakestone/contract/servers/free-play-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

const intervals: Record<FreePlay['state'], number> = {
  idle: 15_000,
  waiting: 4_000,
  offered: 2_000,
  reserved: 15_000,
  playing: 10_000,
}
const repeated = {
  refetchInterval: ({ state: { data } }: { state: { data: FreePlay | undefined } }) =>
    // Its time begins any moment.
    data?.session?.started_at === null ? intervals.waiting : intervals[data?.state ?? 'idle'],
  refetchIntervalInBackground: true,
  // Whoever comes back sees at once whether it is still their turn.
  refetchOnWindowFocus: 'always',
} as const

/** One's own. */
export const freePlayQuery = (client: ApiClient = api) => queryOf(getFreePlay, {}, { client, ...repeated })
/** Of the owner of a server, for whoever may look at it. */
export const freeSessionQuery = (serverId: string, client: ApiClient = api) =>
  queryOf(getFreeSession, { params: { id: serverId } }, { client, ...repeated })

export const availabilityQuery = (client: ApiClient = api) =>
  queryOf(getFreeAvailability, {}, { client, refetchInterval: 10_000 })

/** Takes over what an action answered. */
export function keepFreePlay(queries: QueryClient, play: FreePlay): void {
  queries.setQueryData(freePlayQuery().queryKey, play)
  if (play.server_id !== null) queries.setQueryData(freeSessionQuery(play.server_id).queryKey, play)
}
