import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { type FileEntry, modeText } from '../file-entry.ts'
import classes from '../files.module.css'
import { joinPath } from '../paths.ts'
import type { FileWork } from '../use-file-work.ts'
import { useFiles } from '../use-files.ts'

const whom = ['owner', 'group', 'others'] as const
const rights = ['read', 'write', 'execute'] as const
const bitOf = (who: number, right: number) => 1 << (8 - who * 3 - right)

/** Who may read, write and run files: as boxes, and as the number that guides tell of. */
export function PermissionsDialog({
  entries,
  work,
  onClose,
}: {
  entries: readonly FileEntry[]
  work: FileWork
  onClose: () => void
}) {
  const { t } = useTranslation()
  const { folder } = useFiles()
  const [text, setText] = useState(() => ((entries[0]?.mode ?? 0o644) & 0o777).toString(8).padStart(3, '0'))
  const [recursive, setRecursive] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const isValid = /^[0-7]{3}$/.test(text)
  const mode = isValid ? Number.parseInt(text, 8) : 0
  const hasFolder = entries.some(({ type }) => type === 'folder')
  const save = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      await work.setMode(
        entries.map(({ name }) => joinPath(folder, name)),
        mode,
        recursive,
      )
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
      title={t('files.permissions.title', { count: entries.length, name: entries[0]?.name ?? '' })}
    >
      <DialogForm
        onSubmit={(event) => {
          event.preventDefault()
          if (isValid && !busy) void save()
        }}
        onCancel={onClose}
        action={t('files.permissions.save')}
        busy={busy}
        failure={failure}
        why={isValid ? undefined : t('files.permissions.invalid')}
      >
        <table className={classes['permissions']}>
          <thead>
            <tr>
              <td />
              {rights.map((right) => (
                <th key={right} scope="col">
                  {t(`files.permissions.${right}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {whom.map((who, row) => (
              <tr key={who}>
                <th scope="row">{t(`files.permissions.${who}`)}</th>
                {rights.map((right, column) => (
                  <td key={right}>
                    <Checkbox
                      aria-label={`${t(`files.permissions.${who}`)}: ${t(`files.permissions.${right}`)}`}
                      checked={(mode & bitOf(row, column)) !== 0}
                      onChange={() => setText((mode ^ bitOf(row, column)).toString(8).padStart(3, '0'))}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        <TextInput
          label={t('files.permissions.number')}
          description={isValid ? modeText(mode) : undefined}
          inputMode="numeric"
          maxLength={3}
          value={text}
          error={isValid ? undefined : t('files.permissions.invalid')}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {hasFolder && (
          <Checkbox
            label={t('files.permissions.recursive')}
            checked={recursive}
            onChange={(event) => setRecursive(event.currentTarget.checked)}
          />
        )}
      </DialogForm>
    </Modal>
  )
}
