import type { ServerStatus } from '@wakestone/contract/servers/server'
import type { PowerAction } from '@wakestone/contract/states'
import { killServer, restartServer, startServer, stopServer } from '@wakestone/contract/servers/servers-routes'
import { MutationObserver, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { listProcesses } from '@wakestone/contract/servers/operations-routes'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { keepStatus } from '#app/features/servers/server-queries.ts'

const STOP_SECONDS = 120

/** Players get a minute's warning, unless something else is chosen. @returns seconds */
export const usualWarning = (players: number): number => (players > 0 ? 60 : 0)

/** What is wanted of a server; players are told so many seconds before it happens. */
export type PowerWish = { action: PowerAction; inSeconds?: number }

function callPower({ action, inSeconds = 0 }: PowerWish, id: string): Promise<ServerStatus> {
  const params = { id }
  const query = { timeout: STOP_SECONDS, in_seconds: inSeconds }
  if (action === 'start') return api(startServer, { params })
  if (action === 'stop') return api(stopServer, { params, query })
  if (action === 'restart') return api(restartServer, { params, query })
  return api(killServer, { params })
}

/** Under which every button of one server finds what is under way, wherever it was pressed. */
export const powerMutationKey = (serverId: string) => ['power', serverId] as const

const powerMutation = (queries: QueryClient, serverId: string) => ({
  mutationKey: powerMutationKey(serverId),
  mutationFn: (wish: PowerWish) => callPower(wish, serverId),
  onSuccess(status: ServerStatus) {
    keepStatus(queries, serverId, status)
    // What counts down ends with it, or has begun.
    return makeStale(queries, answersOf(listProcesses, { id: serverId }))
  },
})

/** Power actions of one server; what the API answers is shown at once, everywhere. */
export function usePower(serverId: string) {
  return useMutation(powerMutation(useQueryClient(), serverId))
}

/** The same for a server that is not on the screen. Its buttons, where there are some, show that it is under way. */
export function powerServer(queries: QueryClient, serverId: string, wish: PowerWish): Promise<ServerStatus> {
  return new MutationObserver(queries, powerMutation(queries, serverId)).mutate(wish)
}
