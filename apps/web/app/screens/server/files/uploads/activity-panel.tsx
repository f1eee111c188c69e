import { useQueryClient } from '@tanstack/react-query'
import { IconChevronDown, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { filesChanged } from '#app/features/servers/files-changed.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { OperationProgress } from '#app/ui/operation-progress.tsx'
import { useFiles } from '../use-files.ts'
import classes from './activity.module.css'
import { ConflictQuestion } from './conflict-question.tsx'
import { Interrupted } from './interrupted.tsx'
import { UploadRows } from './upload-rows.tsx'
import type { ServerUploads } from './uploads.ts'
import { useServerWork, WorkRows } from './server-work.tsx'

/** Lists are asked for anew this long after something has arrived. */
const refreshAfter = 1200
/** The panel folds itself so long after the last thing has come, unless somebody is at it. */
const foldAfter = 5_000

/** Everything that is on its way: uploads, and jobs on the server. Not there while there is nothing. */
export function ActivityPanel({ uploads, choose }: { uploads: ServerUploads; choose: (isFolder: boolean) => void }) {
  const { t } = useTranslation()
  const { serverId } = useFiles()
  const { queue, interrupted, reading } = uploads
  const sums = useSyncExternalStore(queue.subscribe, queue.sums, queue.sums)
  const cutOff = useSyncExternalStore(interrupted.subscribe, interrupted.get, interrupted.getInitial)
  const found = useSyncExternalStore(reading.subscribe, reading.get, reading.getInitial)
  const work = useServerWork(serverId)
  const [isOpen, setOpen] = useState(true)
  const panel = useRef<HTMLElement>(null)
  useRefresh(serverId, sums.counts.done + work.ended)
  useEffect(() => void uploads.findInterrupted(), [uploads])
  const asks = sums.counts.conflict > 0
  const isBusy = sums.mood !== 'idle' || found !== null || work.rows.some(({ progress }) => progress !== undefined)
  const needsSomebody =
    asks || sums.counts.failed > 0 || cutOff.length > 0 || work.rows.some(({ error }) => error !== null)
  useEffect(() => {
    if (isBusy || needsSomebody) return setOpen(true)
    const timer = setInterval(() => {
      if (panel.current?.matches(':hover, :focus-within') === true) return
      setOpen(false)
      clearInterval(timer)
    }, foldAfter)
    return () => clearInterval(timer)
  }, [isBusy, needsSomebody])
  if (sums.files === 0 && cutOff.length === 0 && work.rows.length === 0 && found === null) return null
  return (
    <section ref={panel} className={classes['panel']} aria-label={t('files.activity.title')} data-open={isOpen}>
      <div className={classes['head']}>
        <h2>
          {t('files.activity.title')}
          {!isOpen && !isBusy && sums.counts.done > 0 && (
            <small>{t('files.upload.done', { count: sums.counts.done })}</small>
          )}
        </h2>
        <button
          type="button"
          className={classes['icon']}
          aria-expanded={isOpen}
          aria-label={t(isOpen ? 'files.activity.fold' : 'files.activity.unfold')}
          onClick={() => setOpen(!isOpen)}
        >
          <IconChevronDown size={18} aria-hidden data-up={!isOpen} />
        </button>
      </div>
      {found !== null && <p className={classes['note']}>{t('files.upload.reading', { count: found })}</p>}
      {sums.files > 0 && (isOpen || isBusy) && <UploadSums uploads={uploads} isOpen={isOpen} />}
      {isOpen && (
        <>
          {cutOff.map((one) => (
            <Interrupted key={one.batch.id} remembered={one} uploads={uploads} choose={choose} />
          ))}
          <WorkRows rows={work.rows} />
        </>
      )}
    </section>
  )
}

/** Asks for lists anew a while after `version` has changed, however often it does. */
function useRefresh(serverId: string, version: number): void {
  const queries = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const first = useRef(true)
  useEffect(() => {
    if (first.current) first.current = false
    else
      timer.current ??= setTimeout(() => {
        timer.current = undefined
        void filesChanged(queries, serverId)
      }, refreshAfter)
  }, [queries, serverId, version])
}

function UploadSums({ uploads, isOpen }: { uploads: ServerUploads; isOpen: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { queue } = uploads
  const { files, bytes, sent, counts, mood } = useSyncExternalStore(queue.subscribe, queue.sums, queue.sums)
  const ended = counts.done + counts.skipped
  const label =
    mood === 'offline'
      ? t('files.upload.offline')
      : mood === 'paused'
        ? t('files.upload.paused')
        : counts.conflict > 0 && mood === 'idle'
          ? t('files.upload.asks')
          : mood === 'idle'
            ? counts.failed > 0
              ? t('files.upload.someFailed', { count: counts.failed })
              : t('files.upload.done', { count: counts.done })
            : t('files.upload.running', { count: files })
  const detail = t('files.upload.detail', {
    done: format.number(ended),
    files: format.number(files),
    sent: format.bytes(sent),
    bytes: format.bytes(bytes),
  })
  const hasEnded = mood === 'idle' && counts.conflict === 0
  return (
    <div className={classes['sums']}>
      <div aria-live="polite" className="visually-hidden">
        {label}
      </div>
      <OperationProgress label={label} detail={detail} progress={bytes === 0 ? (hasEnded ? 1 : 0) : sent / bytes} />
      {isOpen && (
        <>
          <ConflictQuestion queue={queue} />
          <UploadRows queue={queue} onCancel={(id) => void uploads.cancel((upload) => upload.id === id)} />
        </>
      )}
      <div className={classes['buttons']}>
        {(mood === 'running' || mood === 'offline') && (
          <Button size="small" icon={<IconPlayerPause />} onClick={queue.pause}>
            {t('files.upload.pause')}
          </Button>
        )}
        {mood === 'paused' && (
          <Button size="small" look="primary" icon={<IconPlayerPlay />} onClick={queue.resume}>
            {t('files.upload.resume')}
          </Button>
        )}
        {mood === 'offline' && (
          <Button size="small" look="quiet" onClick={queue.reconnect}>
            {t('files.upload.tryNow')}
          </Button>
        )}
        {counts.failed > 0 && (
          <Button size="small" onClick={queue.retryFailed}>
            {t('files.upload.retry', { count: counts.failed })}
          </Button>
        )}
        {hasEnded ? (
          <Button size="small" look="quiet" onClick={uploads.clear}>
            {t('files.activity.clear')}
          </Button>
        ) : (
          <Button size="small" look="quiet" onClick={() => void uploads.cancel()}>
            {t('files.upload.cancel')}
          </Button>
        )}
      </div>
    </div>
  )
}
