import { TextInput } from '@mantine/core'
import { backupNameLength } from '@wakestone/contract/servers/backups'
import { createBackup } from '@wakestone/contract/servers/backups-routes'
import { useState } from 'react'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'

/** A backup made by hand. */
export function CreateDialog({
  serverId,
  onClose,
  onBegun,
}: {
  serverId: string
  onClose: () => void
  onBegun: () => Promise<unknown>
}) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const submit = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const given = name.trim()
      await api(createBackup, { params: { id: serverId }, body: { name: given === '' ? null : given } })
      await onBegun()
      onClose()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={t('backups.create')}>
      <DialogForm
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
        onCancel={onClose}
        action={t('backups.createBegin')}
        busy={busy}
        failure={failure}
      >
        <p>{t('backups.createText')}</p>
        <TextInput
          label={t('backups.name')}
          description={t('backups.nameHint')}
          maxLength={backupNameLength}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
      </DialogForm>
    </Modal>
  )
}
