import { useQuery, useQueryClient } from '@tanstack/react-query'
import { isExclusive, isOver } from '@wakestone/contract/servers/operations'
import { getBackupPlan, listBackups } from '@wakestone/contract/servers/backups-routes'
import { listProcesses } from '@wakestone/contract/servers/operations-routes'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { operationsQuery } from '#app/features/servers/operations/operation-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useServerPage } from '../use-server-page.ts'

/** What the screens of backups share: the list, why nothing can be begun, and what to ask for anew after a change. */
export function useBackups() {
  const { t } = useTranslation()
  const { server, status, canManage, identity, state } = useServerPage()
  const queries = useQueryClient()
  const params = { id: server.id }
  const list = useQuery(queryOf(listBackups, { params }))
  const plan = useQuery(queryOf(getBackupPlan, { params }))
  const { data: operations = [] } = useQuery(operationsQuery(server.id))
  const isBusy = operations.some(({ state: now, kind }) => !isOver(now) && isExclusive(kind))
  const isMaking = operations.some(({ state: now, kind }) => !isOver(now) && kind === 'backup')
  const changed = () =>
    makeStale(queries, ...[listBackups, getBackupPlan, listProcesses].map((route) => answersOf(route, params)))
  return {
    server,
    identity,
    canManage,
    /** How many are playing now. */
    players: status.players.online,
    list,
    plan,
    changed,
    /** Whether one is being made now. */
    isMaking,
    /** Whether the game is up, asleep or awake. */
    isLive: !['stopped', 'crashed', 'expired', 'failed', 'preparing'].includes(state),
    whyNoChange: canManage ? undefined : t('server.because.capability'),
    whyNotNow: !canManage
      ? t('server.because.capability')
      : state === 'expired'
        ? t('plans.obstacles.expired')
        : isBusy
          ? t('backups.busy')
          : undefined,
  }
}
