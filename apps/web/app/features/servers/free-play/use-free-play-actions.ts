import { useMutation, useQueryClient } from '@tanstack/react-query'
import {
  confirmFreePlace,
  extendFreeSession,
  getFreeAvailability,
  getFreePlay,
  getFreeSession,
  joinFreeQueue,
  leaveFreeQueue,
  takeBonusHour,
} from '@wakestone/contract/servers/free-play-routes'
import { getServerStatus } from '@wakestone/contract/servers/servers-routes'
import { getReferrals } from '@wakestone/contract/sales/referrals-routes'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { keepFreePlay } from './free-play-queries.ts'

export type FreePlayAction =
  | { act: 'join'; clusterId: string }
  | { act: 'leave' }
  | { act: 'confirm' }
  | { act: 'bonus' }
  | { act: 'extend'; serverId: string }

async function call(action: FreePlayAction) {
  if (action.act === 'join') return api(joinFreeQueue, { query: { cluster_id: action.clusterId } })
  if (action.act === 'leave') return api(leaveFreeQueue, {})
  if (action.act === 'confirm') return api(confirmFreePlace, {})
  if (action.act === 'bonus') return api(takeBonusHour, {})
  return api(extendFreeSession, { params: { id: action.serverId } })
}

/** What can be done about one's place; what comes of it is shown wherever it is told of. */
export function useFreePlayActions() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: call,
    onSuccess: (play) => play && keepFreePlay(queries, play),
    onSettled: () =>
      makeStale(
        queries,
        answersOf(getFreePlay),
        answersOf(getFreeSession),
        answersOf(getFreeAvailability),
        answersOf(getServerStatus),
        answersOf(getReferrals),
      ),
  })
}
