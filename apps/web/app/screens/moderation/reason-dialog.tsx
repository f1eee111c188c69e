import { Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'

const shortest = 3

/** Asks why before something is done to an author, who reads it. */
export function ReasonDialog({
  title,
  text,
  action,
  onClose,
  onConfirm,
}: {
  title: string
  text: string
  action: string
  onClose: () => void
  onConfirm: (reason: string) => Promise<unknown>
}) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const confirm = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await onConfirm(reason.trim())
      onClose()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={title}>
      <DialogForm
        onSubmit={(event) => {
          event.preventDefault()
          void confirm()
        }}
        onCancel={onClose}
        action={action}
        look="danger"
        busy={busy}
        failure={failure}
        why={reason.trim().length < shortest ? t('fields.required') : undefined}
      >
        <p>{text}</p>
        <Textarea
          label={t('moderation.reason')}
          autosize
          minRows={3}
          maxLength={1000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  )
}
