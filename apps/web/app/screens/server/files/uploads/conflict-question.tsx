import { useId, useState, useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { nameOf } from '../paths.ts'
import classes from './activity.module.css'
import type { UploadQueue } from './upload-queue.ts'

const mostNames = 5

/** Asks once for all files of an upload that are there already, those that come later too; or for one after the other. */
export function ConflictQuestion({ queue }: { queue: UploadQueue }) {
  const { t } = useTranslation()
  const id = useId()
  const [isSingle, setSingle] = useState(false)
  useSyncExternalStore(queue.subscribe, queue.sums, queue.sums)
  const [first] = queue.ofState('conflict')
  if (first === undefined) return null
  const same = queue.ofState('conflict').filter(({ batch }) => batch === first.batch)
  const decide = (choice: 'replace' | 'keep-both' | 'skip') =>
    queue.decide(first.batch, choice, isSingle ? first.id : undefined)
  const names = isSingle ? [first] : same.slice(0, mostNames)
  return (
    <div className={classes['question']} role="group" aria-labelledby={id}>
      <p id={id}>
        <strong>{t('files.conflict.title', { count: isSingle ? 1 : same.length })}</strong>
      </p>
      <ul>
        {names.map((upload) => (
          <li key={upload.id}>{nameOf(upload.path)}</li>
        ))}
        {!isSingle && same.length > mostNames && (
          <li>{t('files.conflict.more', { count: same.length - mostNames })}</li>
        )}
      </ul>
      <label>
        <input type="checkbox" checked={!isSingle} onChange={(event) => setSingle(!event.currentTarget.checked)} />
        {t('files.conflict.forAll')}
      </label>
      <div className={classes['buttons']}>
        <Button size="small" look="primary" onClick={() => decide('replace')}>
          {t('files.conflict.replace')}
        </Button>
        <Button size="small" onClick={() => decide('keep-both')}>
          {t('files.conflict.keepBoth')}
        </Button>
        <Button size="small" look="quiet" onClick={() => decide('skip')}>
          {t('files.conflict.skip')}
        </Button>
      </div>
    </div>
  )
}
