import { TextInput } from '@mantine/core'
import { findNameFault } from '@wakestone/contract/servers/file-values'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { joinPath } from '../paths.ts'
import type { FileWork } from '../use-file-work.ts'
import { useFiles } from '../use-files.ts'

/** A new folder, or a new file, which is opened. */
export function NewEntryDialog({
  kind,
  work,
  onClose,
}: {
  kind: 'folder' | 'file'
  work: FileWork
  onClose: () => void
}) {
  const { t } = useTranslation()
  const { folder, openFile } = useFiles()
  const [name, setName] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const fault = findNameFault(name)
  const create = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const path = joinPath(folder, name)
      if (kind === 'folder') await work.makeFolder(path)
      else await work.makeFile(path)
      onClose()
      if (kind === 'file') openFile(path)
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <Modal opened onClose={onClose} title={t(kind === 'folder' ? 'files.new.folder' : 'files.new.file')}>
      <DialogForm
        onSubmit={(event) => {
          event.preventDefault()
          if (fault === undefined && !busy) void create()
        }}
        onCancel={onClose}
        action={t('files.new.create')}
        busy={busy}
        failure={failure}
        why={fault === undefined ? undefined : t(`files.nameFault.${fault}`)}
      >
        <TextInput
          data-autofocus
          label={t('files.new.name')}
          value={name}
          error={name !== '' && fault !== undefined ? t(`files.nameFault.${fault}`) : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  )
}
