import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { FolderTree } from '../manager/folder-tree.tsx'
import classes from '../files.module.css'
import { canMoveInto, nameOf } from '../paths.ts'
import { useFiles } from '../use-files.ts'

/** Where to: for those who do not drag. */
export function MoveDialog({
  paths,
  onTransfer,
  onClose,
}: {
  paths: readonly string[]
  onTransfer: (to: string, isCopy: boolean) => void
  onClose: () => void
}) {
  const { t } = useTranslation()
  const { folder } = useFiles()
  const [to, setTo] = useState(folder)
  const why = canMoveInto(paths, to) ? undefined : t('files.because.cannotMoveThere')
  const go = (isCopy: boolean) => {
    onTransfer(to, isCopy)
    onClose()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('files.move.title', { count: paths.length, name: nameOf(paths[0] ?? '') })}
      actions={
        <>
          <Button onClick={() => go(true)}>{t('files.move.copy')}</Button>
          <Button look="primary" why={why} onClick={() => go(false)}>
            {t('files.move.move')}
          </Button>
        </>
      }
    >
      <div className={classes['picker']}>
        <FolderTree label={t('files.move.where')} current={to} onChoose={setTo} />
      </div>
    </Modal>
  )
}
