import type { ApiClient } from '@wakestone/contract/client'
import { listGames } from '@wakestone/contract/servers/servers-routes'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'

/** Games with their engines and versions. */
export const gamesQuery = (client: ApiClient = api) => queryOf(listGames, {}, { client, staleTime: 60_000 })
