import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { RouteResult } from '@wakestone/contract/route'
import { isExclusive, isOver } from '@wakestone/contract/servers/operations'
import { listProcesses } from '@wakestone/contract/servers/operations-routes'
import { type editWorld, listWorlds } from '@wakestone/contract/servers/worlds-routes'
import { useState } from 'react'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { operationsQuery } from '#app/features/servers/operations/operation-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useServerPage } from '../use-server-page.ts'

/** What the parts of the world manager share: the list, why nothing can be begun, and what to ask for anew. */
export function useWorlds() {
  const { t } = useTranslation()
  const page = useServerPage()
  const queries = useQueryClient()
  const params = { id: page.server.id }
  const list = useQuery({ ...queryOf(listWorlds, { params }), enabled: page.canManage })
  const { data: operations = [] } = useQuery(operationsQuery(page.server.id))
  const isBusy = operations.some(({ state, kind }) => !isOver(state) && isExclusive(kind))
  return {
    ...page,
    list,
    changed: () => makeStale(queries, ...[listWorlds, listProcesses].map((route) => answersOf(route, params))),
    isBedrock: page.server.parameters.game !== 'minecraft-java',
    /** Whether the game is up, asleep or awake. */
    isLive: !['stopped', 'crashed', 'expired', 'failed', 'preparing'].includes(page.state),
    /** How many are playing now. */
    players: page.status.players.online,
    whyNotNow: isBusy ? t('worlds.because.busy') : undefined,
  }
}

/** Sends what a dialog asks for, closes it when that has begun, and stays open with the error when it has not. */
export function useBegin(onClose: () => void) {
  const { changed } = useWorlds()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const begin = async (work: () => Promise<RouteResult<typeof editWorld>>) => {
    setBusy(true)
    setFailure(undefined)
    try {
      await work()
      await changed()
      onClose()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { begin, busy, failure }
}
