import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { isOver, type Operation, type OperationKind, operationPhases } from '@wakestone/contract/servers/operations'
import { useId, useState, useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { OperationProgress } from '#app/ui/operation-progress.tsx'
import { useNow } from '#app/ui/use-now.ts'
import { closedEnds } from './closed-ends.ts'
import { cancelOperation, operationsQuery } from './operation-queries.ts'
import classes from './operations.module.css'
import { phaseText } from './phase-text.ts'
import { processesExpanded } from './remember-expanded.ts'
import { useOperationName } from './use-operation-name.ts'

/** How long an outcome stays visible where its start was shown; successes go sooner. */
const endShownMilliseconds = ({ state }: Operation) => (state === 'done' ? 1 : 10) * 60_000

/** What takes longer than a request on this server, live; and how the last one ended. Nothing where there is nothing. */
export function OperationsCard({
  serverId,
  canManage,
  endsOf,
}: {
  serverId: string
  canManage: boolean
  /** Kinds whose end is told here; that of all unless given. */
  endsOf?: readonly OperationKind[]
}) {
  const { t } = useTranslation()
  const now = useNow()
  const detailsId = useId()
  const { data: all = [] } = useQuery(operationsQuery(serverId))
  // A countdown is shown beside the buttons that begin it.
  const operations = all.filter(({ kind }) => kind !== 'countdown')
  const isExpanded = useSyncExternalStore(
    processesExpanded.subscribe,
    processesExpanded.get,
    processesExpanded.getInitial,
  )
  const closed = useSyncExternalStore(closedEnds.subscribe, closedEnds.get, closedEnds.getInitial)
  const open = operations.filter(({ state }) => !isOver(state))
  const last = operations
    .filter(({ id, kind }) => !closed.includes(id) && (endsOf?.includes(kind) ?? true))
    .find((operation) => {
      const { ended_at: end } = operation
      return end !== null && now !== null && now - Date.parse(end) < endShownMilliseconds(operation)
    })
  const shown = open.length > 0 ? open : last === undefined ? [] : [last]
  if (shown.length === 0) return null
  return (
    <Card
      title={t(open.length > 0 ? 'operations.title' : 'operations.lastTitle')}
      beside={
        <button
          type="button"
          className={classes['expand']}
          aria-expanded={isExpanded}
          aria-controls={detailsId}
          onClick={() => processesExpanded.set(!isExpanded)}
        >
          {t(isExpanded ? 'operations.less' : 'operations.more')}
          <IconChevronDown size={16} aria-hidden data-up={isExpanded} />
        </button>
      }
    >
      <ul className={classes['list']} id={detailsId}>
        {shown.map((operation) => (
          <li key={operation.id}>
            {isOver(operation.state) ? (
              <Ended operation={operation} isExpanded={isExpanded} />
            ) : (
              <UnderWay operation={operation} isExpanded={isExpanded} canManage={canManage} now={now} />
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function UnderWay({
  operation,
  isExpanded,
  canManage,
  now,
}: {
  operation: Operation
  isExpanded: boolean
  canManage: boolean
  now: number | null
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const nameOf = useOperationName()
  const [isAsking, setAsking] = useState(false)
  const { kind, state, phase, progress, trouble, created_at, took_seconds, executor } = operation
  /** Of players' time before the game is stopped; not known of every warning. */
  const secondsLeft = phase === 'warn' ? (operation.figures?.seconds_left ?? null) : null
  const step =
    phase === null
      ? t('operations.queued')
      : secondsLeft !== null
        ? t('operations.warning', { time: format.duration(secondsLeft) })
        : phaseText(t, phase)
  const seconds = now === null ? null : Math.max(0, (now - Date.parse(created_at)) / 1000)
  const steps: readonly string[] = operationPhases[kind]
  const detail = useDetail(operation)
  const place = phase === null ? 0 : steps.indexOf(phase) + 1
  return (
    <>
      <div className={classes['head']}>
        <strong>{nameOf(operation)}</strong>
        {operation.can_cancel && (
          <Button
            size="small"
            look="quiet"
            why={canManage ? undefined : t('server.because.capability')}
            onClick={() => setAsking(true)}
          >
            {t('operations.cancel')}
          </Button>
        )}
      </div>
      {state === 'cancelling' ? (
        <>
          {operation.error !== null && <ErrorNote error={operation.error} title={t('operations.goingBackAfter')} />}
          <OperationProgress label={t('operations.goingBack')} detail={step} progress={null} />
        </>
      ) : (
        <>
          {trouble !== null && <Trouble kind={kind} trouble={trouble} />}
          <OperationProgress
            label={step}
            detail={secondsLeft === null ? detail : null}
            progress={state === 'queued' ? null : progress}
            isCountdown={secondsLeft !== null}
          />
        </>
      )}
      {isExpanded && (
        <KeyValueList
          rows={[
            { key: t('operations.step'), value: t('operations.stepOf', { step: place, steps: steps.length }) },
            {
              key: t('operations.since'),
              value: `${format.dateTime(created_at)}${seconds === null ? '' : ` · ${format.duration(seconds)}`}`,
            },
            ...(kind === 'prepare' && took_seconds.length === 0
              ? [] // every server has only one
              : [{ key: t('operations.took'), value: tookText(took_seconds, format.duration, t('operations.never')) }]),
            ...(executor === null ? [] : [{ key: t('operations.by'), value: executor.username }]),
          ]}
        />
      )}
      <p className={classes['note']}>{t('operations.leave')}</p>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('operations.cancelTitle', { name: nameOf(operation) })}
        text={t('operations.cancelText')}
        action={t('operations.cancelConfirm')}
        onConfirm={() => cancelOperation(queries, operation)}
      />
    </>
  )
}

/** What is handled now, and how much of how much is done, how fast, and for how long yet. */
function useDetail({ item, figures }: Operation): string | null {
  const { t } = useTranslation()
  const format = useFormat()
  const parts = [
    ...(item === null ? [] : [item]),
    ...(figures === null || figures.bytes_total === 0
      ? []
      : [
          t('operations.bytesDone', {
            done: format.bytes(figures.bytes_done),
            total: format.bytes(figures.bytes_total),
          }),
        ]),
    ...(figures?.bytes_per_second
      ? [t('operations.bytesSpeed', { speed: format.bytes(figures.bytes_per_second) })]
      : []),
    ...(figures?.seconds_left ? [t('operations.timeLeft', { time: format.duration(figures.seconds_left) })] : []),
  ]
  return parts.length === 0 ? null : parts.join(' · ')
}

/** What has gone wrong, and when it is tried again. */
function Trouble({ kind, trouble }: { kind: Operation['kind']; trouble: NonNullable<Operation['trouble']> }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { code, retry_at } = trouble
  return (
    <>
      <ErrorNote
        error={code}
        title={
          retry_at === null ? t('operations.troubleSoon') : t('operations.trouble', { time: format.time(retry_at) })
        }
      />
      {kind === 'prepare' && <p className={classes['note']}>{t('operations.nothingLost')}</p>}
    </>
  )
}

function Ended({ operation, isExpanded }: { operation: Operation; isExpanded: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = useOperationName()
  const { id, state, created_at, ended_at, error } = operation
  const seconds = (Date.parse(ended_at ?? created_at) - Date.parse(created_at)) / 1000
  return (
    <>
      <div className={classes['head']}>
        <strong>{nameOf(operation)}</strong>
        <span className={classes['end']}>
          <span className={classes['state']} data-state={state}>
            {t(`operations.state.${state}`)}
          </span>
          <Button size="small" look="quiet" icon={<IconX />} onClick={() => closedEnds.set([...closedEnds.get(), id])}>
            {t('common.close')}
          </Button>
        </span>
      </div>
      {error !== null && (
        <ErrorNote error={error} title={t(`operations.because.${state === 'failed' ? 'failed' : 'rolled_back'}`)} />
      )}
      {isExpanded && (
        <KeyValueList
          rows={[
            { key: t('operations.ended'), value: format.dateTime(ended_at ?? created_at) },
            { key: t('operations.lasted'), value: format.duration(seconds) },
          ]}
        />
      )}
    </>
  )
}

const tookText = (seconds: number[], format: (seconds: number) => string, never: string) =>
  seconds.length === 0 ? never : seconds.map(format).join(', ')
