import { useQuery, useQueryClient } from '@tanstack/react-query'
import { canManagePackages } from '@wakestone/contract/capabilities'
import { isExclusive, isOver } from '@wakestone/contract/servers/operations'
import { listProcesses } from '@wakestone/contract/servers/operations-routes'
import { listPackages } from '@wakestone/contract/servers/packages-routes'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { aboutPackages } from '#app/api/stale-answers.ts'
import { operationsQuery } from '#app/features/servers/operations/operation-queries.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useServerPage } from '../use-server-page.ts'

/** What the screens of packages share: what is installed, why nothing can be begun, and what to ask for anew. */
export function usePackages() {
  const { t } = useTranslation()
  const { server, status, identity } = useServerPage()
  const user = useSignedInUser()
  const queries = useQueryClient()
  const params = { id: server.id }
  const installed = useQuery(queryOf(listPackages, { params }))
  const { data: operations = [] } = useQuery(operationsQuery(server.id))
  const isBusy = operations.some(({ state, kind }) => !isOver(state) && isExclusive(kind))
  const mayInstall = canManagePackages(user.user_capabilities, server.user_capabilities)
  return {
    server,
    identity,
    /** How many are playing now. */
    players: status.players.online,
    installed,
    mayInstall,
    /** After a change was begun. */
    begun: () => makeStale(queries, answersOf(listProcesses, params), ...aboutPackages(server.id)),
    /** Why no change can be begun now. */
    why: !mayInstall ? t('server.because.capability') : isBusy ? t('packages.busy') : undefined,
  }
}
