import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { useErrorText } from '#app/ui/error-text.ts'
import { nameOf } from '../paths.ts'
import classes from './activity.module.css'
import type { Upload, UploadQueue } from './upload-queue.ts'

/** More of one state say nothing more. */
const mostShown = 30

/** What is sent now, what failed, and what has just arrived, each with how far it is. */
export function UploadRows({ queue, onCancel }: { queue: UploadQueue; onCancel: (id: number) => void }) {
  const { t } = useTranslation()
  useSyncExternalStore(queue.subscribe, queue.sums, queue.sums)
  const shown = [
    ...queue.ofState('failed').slice(0, mostShown),
    ...queue.ofState('sending'),
    ...queue.ofState('waiting').slice(0, mostShown),
    ...queue.ofState('done').slice(-mostShown).toReversed(),
  ]
  if (shown.length === 0) return null
  return (
    // Can be scrolled, so it can be reached.
    <ul className={classes['rows']} tabIndex={0} aria-label={t('files.upload.files')}>
      {shown.map((upload) => (
        <li key={upload.id}>
          <Row upload={upload} onCancel={() => onCancel(upload.id)} />
        </li>
      ))}
    </ul>
  )
}

function Row({ upload, onCancel }: { upload: Upload; onCancel: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { text } = useErrorText(upload.error ?? 'internal_error')
  const { path, state, sent, file } = upload
  const name = nameOf(path)
  const share = file.size === 0 ? 0 : sent / file.size
  return (
    <div className={classes['file']} data-state={state}>
      <span className={classes['fileName']} title={path}>
        {name}
      </span>
      <span className={classes['fileState']}>
        {state === 'done' ? (
          <IconCheck size={16} aria-label={t('files.upload.state.done')} />
        ) : state === 'failed' ? (
          <IconAlertTriangle size={16} aria-label={t('files.upload.state.failed')} />
        ) : state === 'sending' ? (
          format.percent(Math.round(share * 100) / 100)
        ) : (
          format.bytes(file.size)
        )}
      </span>
      {state === 'done' ? (
        <span className={classes['icon']} />
      ) : (
        <button
          type="button"
          className={classes['icon']}
          aria-label={t('files.upload.cancelOne', { name })}
          onClick={onCancel}
        >
          <IconX size={14} aria-hidden />
        </button>
      )}
      {state === 'sending' && (
        <span className={classes['bar']} aria-hidden>
          <span style={{ width: `${share * 100}%` }} />
        </span>
      )}
      {state === 'failed' && <span className={classes['fileError']}>{text}</span>}
    </div>
  )
}
