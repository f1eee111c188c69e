import { type ReactNode, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'

/** Asks before something ends. Stays open with the error when that fails. */
export function ConfirmDialog({
  opened,
  onClose,
  title,
  text,
  action,
  keep,
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
  /** What is chosen before. */
  children?: ReactNode
  onConfirm: () => Promise<unknown>
}) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(undefined)
  const confirm = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await onConfirm()
      onClose()
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{keep ?? t('common.cancel')}</Button>
          <Button look="danger" loading={busy} onClick={() => void confirm()}>
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
