import { TextInput } from '@mantine/core'
import { type ArchiveFormat, archiveFormats, findNameFault } from '@wakestone/contract/servers/file-values'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import type { FileEntry } from '../file-entry.ts'
import { freeName, joinPath, nameOf } from '../paths.ts'
import type { FileWork } from '../use-file-work.ts'
import { useFiles } from '../use-files.ts'

/** An archive of what is chosen, beside it. */
export function PackDialog({
  entries,
  work,
  isTaken,
  onClose,
}: {
  entries: readonly FileEntry[]
  work: FileWork
  isTaken: (name: string) => boolean
  onClose: () => void
}) {
  const { t } = useTranslation()
  const { folder } = useFiles()
  const [typed, setTyped] = useState<string | null>(null)
  const [format, setFormat] = useState<ArchiveFormat>('zip')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const usual = entries.length === 1 ? entries[0]!.name : folder === '' ? t('files.pack.name') : nameOf(folder)
  const stem = typed ?? freeName(usual, (one) => isTaken(`${one}.${format}`))
  const name = `${stem}.${format}`
  const fault = stem === '' ? 'empty' : findNameFault(name)
  const pack = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const paths = entries.map((entry) => joinPath(folder, entry.name))
      await work.pack(paths, joinPath(folder, name), format)
      await work.jobsChanged()
      onClose()
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('files.pack.title', { count: entries.length, name: entries[0]?.name ?? '' })}
    >
      <DialogForm
        onSubmit={(event) => {
          event.preventDefault()
          if (fault === undefined && !busy) void pack()
        }}
        onCancel={onClose}
        action={t('files.pack.pack')}
        busy={busy}
        failure={failure}
        why={fault === undefined ? undefined : t(`files.nameFault.${fault}`)}
      >
        <TextInput
          data-autofocus
          label={t('files.new.name')}
          rightSection={<span>.{format}</span>}
          rightSectionWidth={76}
          value={stem}
          error={fault === undefined ? undefined : t(`files.nameFault.${fault}`)}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Segmented
          label={t('files.pack.format')}
          options={archiveFormats.map((value) => ({
            value,
            label: t(value === 'zip' ? 'files.pack.zip' : 'files.pack.zst'),
          }))}
          value={format}
          onChange={setFormat}
        />
      </DialogForm>
    </Modal>
  )
}
