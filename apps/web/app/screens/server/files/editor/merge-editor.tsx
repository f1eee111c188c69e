import { useRef } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { useFiles } from '../use-files.ts'
import { DiffView } from './diff-view.tsx'
import classes from './editor.module.css'

/** Somebody else has saved meanwhile: both texts, and what of each is kept. */
export default function MergeEditor({
  path,
  theirs,
  mine,
  busy,
  failure,
  onCancel,
  onTheirs,
  onSave,
}: {
  path: string
  theirs: string
  mine: string
  busy: boolean
  failure: unknown
  onCancel: () => void
  onTheirs: () => void
  onSave: (text: string) => void
}) {
  const { t } = useTranslation()
  const { why } = useFiles()
  const text = useRef<(() => string) | null>(null)
  return (
    <>
      <div className={classes['note']} role="alert">
        <p>
          <strong>{t('files.merge.title')}</strong> {t('files.merge.text')}
        </p>
        <div className={classes['noteButtons']}>
          <Button size="small" look="quiet" onClick={onCancel}>
            {t('files.merge.back')}
          </Button>
          <Button size="small" onClick={onTheirs}>
            {t('files.merge.theirs')}
          </Button>
          <Button size="small" look="primary" loading={busy} why={why} onClick={() => onSave(text.current?.() ?? mine)}>
            {t('files.merge.save')}
          </Button>
        </div>
      </div>
      {failure !== undefined && <ErrorNote error={failure} title={t('files.editor.saveFailed')} />}
      <div className={classes['diffNames']}>
        <span>{t('files.merge.left')}</span>
        <span>{t('files.merge.right')}</span>
      </div>
      <DiffView
        path={path}
        left={theirs}
        right={mine}
        leftLabel={t('files.merge.left')}
        rightLabel={t('files.merge.right')}
        textRef={text}
      />
    </>
  )
}
