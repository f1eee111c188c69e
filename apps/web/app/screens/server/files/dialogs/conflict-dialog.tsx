import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/modal.tsx'
import classes from '../files.module.css'

const mostNames = 8

/** Asked once for all: what happens with those whose names are taken. */
export function ConflictDialog({
  names,
  onDecide,
  onClose,
}: {
  names: readonly string[]
  onDecide: (choice: 'replace' | 'keep-both' | 'skip') => void
  onClose: () => void
}) {
  const { t } = useTranslation()
  const decide = (choice: 'replace' | 'keep-both' | 'skip') => {
    onDecide(choice)
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('files.conflict.title', { count: names.length })}
      actions={
        <>
          <Button look="quiet" onClick={() => decide('skip')}>
            {t('files.conflict.skip')}
          </Button>
          <Button onClick={() => decide('keep-both')}>{t('files.conflict.keepBoth')}</Button>
          <Button look="primary" onClick={() => decide('replace')}>
            {t('files.conflict.replace')}
          </Button>
        </>
      }
    >
      <ul className={classes['names']}>
        {names.slice(0, mostNames).map((name) => (
          <li key={name}>{name}</li>
        ))}
        {names.length > mostNames && <li>{t('files.conflict.more', { count: names.length - mostNames })}</li>}
      </ul>
      <p className={classes['hint']}>{t('files.conflict.hint')}</p>
    </Modal>
  )
}
