import { type ReactNode, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { useConfirming } from '#app/ui/use-confirming.ts'

/** A button that asks before it does what makes an account weaker. Stays open with the error when that fails. */
export function AskFirst({
  label,
  name,
  title,
  text,
  look = 'danger',
  onConfirm,
}: {
  label: string
  /** Of the button, where several say the same. */
  name?: string
  title: string
  text: ReactNode
  look?: 'danger' | 'primary'
  onConfirm: () => Promise<unknown>
}) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { isBusy, error, close, confirm } = useConfirming(onConfirm, () => setOpen(false))
  return (
    <>
      <Button size="small" aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={title}
        actions={
          <>
            <Button onClick={close}>{t('common.cancel')}</Button>
            <Button look={look} loading={isBusy} onClick={() => void confirm()}>
              {label}
            </Button>
          </>
        }
      >
        <p>{text}</p>
        {error !== undefined && <ErrorNote error={error} />}
      </Modal>
    </>
  )
}
