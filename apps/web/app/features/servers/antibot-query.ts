import { getAntibot } from '@wakestone/contract/servers/antibot-routes'
import { queryOf } from '#app/api/query-of.ts'

const SOON_MS = 5_000
const LATER_MS = 30_000

/** How bots are kept from a server, asked more often while they attack. */
export const antibotQuery = (id: string) =>
  queryOf(
    getAntibot,
    { params: { id } },
    { refetchInterval: ({ state }) => (state.data?.attacks[0]?.until === null ? SOON_MS : LATER_MS) },
  )
