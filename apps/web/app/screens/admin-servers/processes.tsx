import { useQuery } from '@tanstack/react-query'
import { isOver, type Operation } from '@wakestone/contract/servers/operations'
import { operationsQuery } from '#app/features/servers/operations/operation-queries.ts'
import { phaseText } from '#app/features/servers/operations/phase-text.ts'
import { useOperationName } from '#app/features/servers/operations/use-operation-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import classes from './admin-servers.module.css'

const most = 8
const looks = {
  queued: { colour: 'lantern', shape: 'ring' },
  running: { colour: 'lantern', shape: 'pulse' },
  cancelling: { colour: 'muted', shape: 'pulse' },
  done: { colour: 'moss', shape: 'filled' },
  failed: { colour: 'ember', shape: 'triangle' },
  cancelled: { colour: 'muted', shape: 'square' },
  rolled_back: { colour: 'ember', shape: 'ring' },
} as const satisfies Record<Operation['state'], unknown>

/** What is under way on a server, then the last ones. */
export function Processes({ serverId }: { serverId: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(operationsQuery(serverId))
  return (
    <Card title={t('adminServers.processes')}>
      {data === undefined ? (
        error === null ? (
          <Skeleton height={160} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : data.length === 0 ? (
        <p className={classes['text']}>{t('adminServers.noProcesses')}</p>
      ) : (
        <ul className={classes['processes']}>
          {data.slice(0, most).map((operation) => (
            <Process key={operation.id} operation={operation} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Process({ operation }: { operation: Operation }) {
  const { t } = useTranslation()
  const nameOf = useOperationName()
  const { state, phase, error, ended_at, created_at } = operation
  return (
    <li>
      <div className={classes['who']}>
        <b>{nameOf(operation)}</b>
        <span>
          <DateTime value={ended_at ?? created_at} />
          {!isOver(state) && phase !== null && ` · ${phaseText(t, phase)}`}
          {error !== null && ` · ${error.code}`}
        </span>
      </div>
      <Badge size="small" {...looks[state]}>
        {t(`adminServers.processStates.${state}`)}
      </Badge>
    </li>
  )
}
