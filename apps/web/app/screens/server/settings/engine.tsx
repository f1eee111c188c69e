import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getEngine } from '@wakestone/contract/servers/engine-routes'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { operationsQuery } from '#app/features/servers/operations/operation-queries.ts'
import { OperationsCard } from '#app/features/servers/operations/operations-card.tsx'
import { engineName } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { answersOf, makeStale, queryOf } from '#app/api/query-of.ts'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { isOver } from '@wakestone/contract/servers/operations'
import { listProcesses } from '@wakestone/contract/servers/operations-routes'
import { ManagersOnly } from '../managers-only.tsx'
import { useServerPage } from '../use-server-page.ts'
import { EngineForm } from './engine-form.tsx'
import { FormatCard } from './format-card.tsx'
import { ReturnCard } from './return-card.tsx'
import classes from './settings.module.css'

/** `/s/{identity}/settings/engine`: another engine or version, the way back, and a format. */
export default function ServerEngine() {
  const { t } = useTranslation()
  const { server, identity, canManage } = useServerPage()
  const queries = useQueryClient()
  const { data: operations = [] } = useQuery(operationsQuery(server.id))
  const open = operations.find(({ state }) => !isOver(state))
  const engineQuery = queryOf(getEngine, { params: { id: server.id } })
  const { data: present, error, refetch } = useQuery(engineQuery)
  const why = open === undefined ? undefined : t('engine.busy')
  const begun = () => makeStale(queries, answersOf(listProcesses, { id: server.id }))
  return (
    <>
      <PageMeta page="serverEngine" title={`${t('engine.title')} · ${server.name}`} />
      <PageHeader title={t('engine.title')} text={t('engine.text')} />
      <div className={classes['cards']}>
        <OperationsCard
          serverId={server.id}
          canManage={canManage}
          endsOf={['engine_change', 'engine_return', 'format']}
        />
        {present === undefined ? (
          error === null ? (
            <Skeleton height={260} />
          ) : (
            <ErrorState error={error} onRetry={() => void refetch()} />
          )
        ) : (
          <>
            <p className={classes['now']}>
              {t('engine.now', { engine: engineName(present.engine), version: present.version })}
            </p>
            {canManage ? (
              <>
                <EngineForm
                  key={`${present.engine} ${present.version}`}
                  server={server}
                  present={present}
                  why={why}
                  onBegun={begun}
                />
                {present.back !== null && <ReturnCard server={server} back={present.back} why={why} onBegun={begun} />}
                <FormatCard server={server} why={why} onBegun={begun} />
              </>
            ) : (
              <ManagersOnly server={server} identity={identity} />
            )}
          </>
        )}
      </div>
    </>
  )
}
