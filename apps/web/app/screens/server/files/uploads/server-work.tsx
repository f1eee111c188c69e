import { useQuery, useQueryClient } from '@tanstack/react-query'
import { IconX } from '@tabler/icons-react'
import { type UnpackMode, unpackModes } from '@wakestone/contract/servers/file-values'
import type { FileJob, FileJobBody } from '@wakestone/contract/servers/files'
import { cancelFileJob, createFileJob, listFileJobs } from '@wakestone/contract/servers/files-routes'
import { isOver, type Operation } from '@wakestone/contract/servers/operations'
import { useState, useSyncExternalStore } from 'react'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { cancelOperation, operationsQuery } from '#app/features/servers/operations/operation-queries.ts'
import { useOperationName } from '#app/features/servers/operations/use-operation-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { createStore } from '#app/ui/create-store.ts'
import { useErrorText } from '#app/ui/error-text.ts'
import { OperationProgress } from '#app/ui/operation-progress.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { useNow } from '#app/ui/use-now.ts'
import { useFollowedJobs } from '../use-followed-jobs.ts'
import { nameOf } from '../paths.ts'
import classes from './activity.module.css'

/** How something has ended is told this long after, to whoever comes then; to whoever was there, until they close it. */
const endShownMilliseconds = 60_000
/** That something was done is soon no news: its result is seen in the list. */
const doneShownMilliseconds = 12_000
/** When the end of each was first seen here, by this browser's clock. */
const ends = new Map<string, number>()

/** Something that the server does with files, whatever does it there. */
type Work = {
  id: string
  name: string
  /** What is happening now, or how it ended. */
  detail: string
  /** 0–1; null: not known. Undefined: it has ended. */
  progress: number | null | undefined
  error: Operation['error']
  cancel: (() => Promise<unknown>) | undefined
  /** The same request again, with this choice for conflicts. */
  retry?: { modes: readonly UnpackMode[]; run: (mode: UnpackMode) => Promise<unknown> } | undefined
}

const closed = createStore<ReadonlySet<string>>(new Set())

/** Jobs and files that are fetched from the internet: what is under way, and how what has just ended did. */
export function useServerWork(serverId: string): { rows: Work[]; ended: number } {
  const data = useFollowedJobs(serverId)
  const { data: operations = [] } = useQuery(operationsQuery(serverId))
  const hidden = useSyncExternalStore(closed.subscribe, closed.get, closed.getInitial)
  const [opened] = useState(() => Date.now())
  const jobOf = useJobWork(serverId)
  const fetchOf = useFetchWork()
  const now = useNow()
  const isShown = ({ id, kind, state, ended_at }: Pick<FileJob | Operation, 'id' | 'kind' | 'state' | 'ended_at'>) => {
    if (ended_at === null) return true
    if (hidden.has(id) || Date.parse(ended_at) < opened - endShownMilliseconds) return false
    if (state !== 'done' || kind === 'measure' || now === null) return true
    if (!ends.has(id)) ends.set(id, now)
    return now - (ends.get(id) ?? now) < doneShownMilliseconds
  }
  const rows = [
    ...(data?.jobs ?? []).filter(isShown).map(jobOf),
    ...operations.filter((operation) => operation.kind === 'file_fetch' && isShown(operation)).map(fetchOf),
  ]
  const ended = [...(data?.jobs ?? []), ...operations].filter(({ ended_at }) => ended_at !== null)
  return { rows, ended: ended.length }
}

function useJobWork(serverId: string): (job: FileJob) => Work {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const retryOf = ({ id, request }: FileJob): Work['retry'] => {
    const ways = waysAround(request)
    if (ways === undefined) return undefined
    return {
      modes: ways.modes,
      run: async (mode) => {
        await api(createFileJob, { params: { id: serverId }, body: ways.withMode(mode) })
        closed.set(new Set([...closed.get(), id]))
        await makeStale(queries, answersOf(listFileJobs, { id: serverId }))
      },
    }
  }
  return (job) => {
    const { id, kind, state, done, total, bytes, bytes_total, item, path, paths, error } = job
    const share = bytes_total !== null && bytes_total > 0 ? bytes / bytes_total : total ? done / total : null
    const detail =
      state === 'running'
        ? [t('files.job.handled', { count: done }), format.bytes(bytes), item ?? ''].filter(Boolean).join(' · ')
        : state === 'done' && kind === 'measure'
          ? t('files.job.measured', { count: done, size: format.bytes(bytes) })
          : state === 'failed'
            ? ''
            : t(`files.job.${state}`)
    return {
      id,
      name: t(`files.job.kind.${kind}`, { name: nameOf(path), count: paths }),
      detail,
      progress: job.ended_at !== null ? undefined : share === null ? null : Math.min(1, share),
      error: state === 'failed' ? (error ?? { code: 'internal_error' }) : null,
      cancel: async () => {
        await api(cancelFileJob, { params: { id: serverId, job_id: id } })
        await makeStale(queries, answersOf(listFileJobs, { id: serverId }))
      },
      retry: retryOf(job),
    }
  }
}

/** What else can be chosen for what is in the way. */
function waysAround(
  body: FileJobBody | null,
): { modes: readonly UnpackMode[]; withMode: (mode: UnpackMode) => FileJobBody } | undefined {
  if (body === null || !('overwrite' in body)) return undefined
  return {
    modes: unpackModes.filter((mode) => mode !== 'fail' && (mode !== 'skip' || body.kind === 'unpack')),
    withMode: (overwrite) => ({ ...body, overwrite }) as FileJobBody,
  }
}

function useFetchWork(): (operation: Operation) => Work {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const nameOfOperation = useOperationName()
  return (operation) => {
    const { id, state, progress, item, error, can_cancel } = operation
    return {
      id,
      name: nameOfOperation(operation),
      detail: isOver(state) && error === null ? t(`operations.state.${state}`) : (item ?? ''),
      progress: isOver(state) ? undefined : progress,
      error,
      cancel: can_cancel ? () => cancelOperation(queries, operation) : undefined,
    }
  }
}

export function WorkRows({ rows }: { rows: readonly Work[] }) {
  if (rows.length === 0) return null
  return (
    <ul className={classes['jobs']}>
      {rows.map((work) => (
        <li key={work.id}>
          <WorkRow work={work} />
        </li>
      ))}
    </ul>
  )
}

function WorkRow({ work: { id, name, detail, progress, error, cancel, retry } }: { work: Work }) {
  const { t } = useTranslation()
  const failure = useErrorText(error)
  const taken = takenIn(error)
  const [isAsking, setAsking] = useState(false)
  const isOpen = progress !== undefined
  const again = async (mode: UnpackMode) => {
    setAsking(true)
    try {
      await retry?.run(mode)
    } catch (refusal) {
      showErrorToast(refusal, name)
    } finally {
      setAsking(false)
    }
  }
  const stop = () => {
    if (isOpen) void cancel?.().catch((refusal: unknown) => showErrorToast(refusal, name))
    else closed.set(new Set([...closed.get(), id]))
  }
  return (
    <div className={classes['job']} data-failed={error !== null || undefined}>
      {isOpen ? (
        <OperationProgress label={name} detail={detail} progress={progress} />
      ) : (
        <p role="status">
          <strong>{name}</strong>
          <span>{error === null ? detail : taken === undefined ? failure.text : <Taken {...taken} />}</span>
        </p>
      )}
      {(!isOpen || cancel !== undefined) && (
        <button
          type="button"
          className={classes['icon']}
          aria-label={t(isOpen ? 'files.job.cancel' : 'files.job.close', { name })}
          onClick={stop}
        >
          <IconX size={16} aria-hidden />
        </button>
      )}
      {retry !== undefined && (
        <div className={classes['ways']}>
          {retry.modes.map((mode) => (
            <Button key={mode} size="small" loading={isAsking} onClick={() => void again(mode)}>
              {t(`files.archive.retry.${mode as Exclude<UnpackMode, 'fail'>}`)}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

/** The conflicts that stopped a job: the first one, and how many there are. */
function takenIn(error: Work['error']): { path: string; count: number } | undefined {
  const { path, count } = error?.fields ?? {}
  if (error?.code !== 'resource_already_exists' || typeof path !== 'string') return undefined
  return { path, count: typeof count === 'number' ? count : 1 }
}

function Taken({ path, count }: { path: string; count: number }) {
  const { t } = useTranslation()
  return count > 1
    ? t('files.archive.takenMore', { name: path, count: count - 1 })
    : t('files.archive.takenOne', { name: path })
}
