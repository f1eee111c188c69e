import type { ReactNode } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { useConfirming } from '#app/ui/use-confirming.ts'
import { useSettled } from '#app/ui/use-settled.ts'

/** Asks before something ends. Stays open with the error when that fails. */
export function ConfirmDialog({
  opened,
  onClose,
  title,
  text,
  action,
  keep,
  look = 'danger',
  children,
  onConfirm,
}: {
  opened: boolean
  onClose: () => void
  title: string
  text: string
  action: string
  /** What closes it is called this; "Cancel" unless given, which misleads where something is to be cancelled. */
  keep?: string
  /** `primary` where nothing is lost by it. */
  look?: 'danger' | 'primary'
  /** What is chosen before. */
  children?: ReactNode
  onConfirm: () => Promise<unknown>
}) {
  const { t } = useTranslation()
  const { isBusy, error, close, confirm } = useConfirming(onConfirm, onClose)
  const isSettled = useSettled(opened)
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      actions={
        <>
          <Button onClick={close}>{keep ?? t('common.cancel')}</Button>
          <Button look={look} disabled={!isSettled} loading={isBusy} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {children}
      {error !== undefined && <ErrorNote error={error} />}
    </Modal>
  )
}
