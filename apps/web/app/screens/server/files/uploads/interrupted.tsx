import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { useFiles } from '../use-files.ts'
import classes from './activity.module.css'
import { leftOf, type Remembered } from './match-unfinished.ts'
import type { ServerUploads } from './uploads.ts'

/** An upload that a reload has cut off: it goes on by itself where the browser still knows the files. */
export function Interrupted({
  remembered,
  uploads,
  choose,
}: {
  remembered: Remembered
  uploads: ServerUploads
  choose: (isFolder: boolean) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { folder, openFolder } = useFiles()
  const [isAsking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const { batch } = remembered
  const left = leftOf(remembered)
  const isFolder = batch.files[0]?.[0].includes('/') === true
  const name = batch.files[0]?.[0].split('/')[0] ?? ''
  const place = batch.folder === '' ? t('files.top') : batch.folder
  const goOn = async () => {
    setBusy(true)
    const isGoing = batch.handles.length > 0 && (await uploads.goOn(remembered).catch(() => false))
    setBusy(false)
    if (isGoing) return
    // Files are matched within the folder that they go to.
    if (folder !== batch.folder) openFolder(batch.folder)
    setAsking(true)
  }
  return (
    <div className={classes['question']} role="group" aria-label={t('files.interrupted.title', { name })}>
      <p>
        <strong>{t('files.interrupted.title', { name })}</strong>
      </p>
      <p>
        {t('files.interrupted.text', {
          count: left.length,
          all: format.number(batch.files.length),
          folder: place,
          date: format.dateTime(batch.startedAt),
        })}
      </p>
      {isAsking && (
        <p role="status">{t(isFolder ? 'files.interrupted.again' : 'files.interrupted.againFiles', { name })}</p>
      )}
      <div className={classes['buttons']}>
        {isAsking ? (
          <Button size="small" look="primary" onClick={() => choose(isFolder)}>
            {t(isFolder ? 'files.interrupted.choose' : 'files.interrupted.chooseFiles')}
          </Button>
        ) : (
          <Button size="small" look="primary" loading={busy} onClick={() => void goOn()}>
            {t('files.interrupted.goOn')}
          </Button>
        )}
        <Button size="small" look="quiet" onClick={() => void uploads.forget(remembered)}>
          {t('files.interrupted.forget')}
        </Button>
      </div>
    </div>
  )
}
