import type { ServerStatus } from '@wakestone/contract/servers/server'
import type { PowerAction } from '@wakestone/contract/states'
import { killServer, restartServer, startServer, stopServer } from '@wakestone/contract/servers/servers-routes'
import { MutationObserver, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '#app/api/client.ts'
import { keepStatus } from '#app/features/servers/server-queries.ts'

const STOP_SECONDS = 120

function callPower(action: PowerAction, id: string): Promise<ServerStatus> {
  const params = { id }
  if (action === 'start') return api(startServer, { params })
  if (action === 'stop') return api(stopServer, { params, query: { timeout: STOP_SECONDS } })
  if (action === 'restart') return api(restartServer, { params, query: { timeout: STOP_SECONDS } })
  return api(killServer, { params })
}

/** Under which every button of one server finds what is under way, wherever it was pressed. */
export const powerMutationKey = (serverId: string) => ['power', serverId] as const

const powerMutation = (queries: QueryClient, serverId: string) => ({
  mutationKey: powerMutationKey(serverId),
  mutationFn: (action: PowerAction) => callPower(action, serverId),
  onSuccess: (status: ServerStatus) => keepStatus(queries, serverId, status),
})

/** Power actions of one server; what the API answers is shown at once, everywhere. */
export function usePower(serverId: string) {
  return useMutation(powerMutation(useQueryClient(), serverId))
}

/** The same for a server that is not on the screen. Its buttons, where there are some, show that it is under way. */
export function powerServer(queries: QueryClient, serverId: string, action: PowerAction): Promise<ServerStatus> {
  return new MutationObserver(queries, powerMutation(queries, serverId)).mutate(action)
}
