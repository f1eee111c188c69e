/** What the screens of players ask for, and what is stale once something was changed. */
import type { QueryClient } from '@tanstack/react-query'
import type { PlayerHistorySpan } from '@wakestone/contract/servers/players'
import { getPlayer, getPlayerHistory, getPlayers } from '@wakestone/contract/servers/players-routes'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'

/** Lists are changed in the game too, of which nobody tells. */
const interval = 30_000

export const playersQuery = (id: string) => queryOf(getPlayers, { params: { id } }, { refetchInterval: interval })
export const playerQuery = (id: string, player_id: string) => queryOf(getPlayer, { params: { id, player_id } })
export const playerHistoryQuery = (id: string, span: PlayerHistorySpan, time_zone: string) =>
  queryOf(getPlayerHistory, { params: { id }, query: { span, time_zone } }, { refetchInterval: interval })

export const playersChanged = (queries: QueryClient, id: string) =>
  makeStale(queries, answersOf(getPlayers, { id }), answersOf(getPlayerHistory, { id }))
export const playerChanged = (queries: QueryClient, id: string, player_id: string) =>
  makeStale(queries, answersOf(getPlayers, { id }), answersOf(getPlayer, { id, player_id }))
