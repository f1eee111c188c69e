import { Checkbox } from '@mantine/core'
import type { Backup } from '@wakestone/contract/servers/backups'
import { restoreBackup, undoRestore } from '@wakestone/contract/servers/backups-routes'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { api } from '#app/api/client.ts'
import { usualMinutes, WarningChoice, type WarningMinutes } from '#app/features/power/warning-choice.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { errorCodeOf } from '#app/ui/error-text.ts'
import { Modal } from '#app/ui/modal.tsx'
import classes from './backups.module.css'
import { useBackups } from './use-backups.ts'

/**
 * Puts all files back, or some. What the game has open needs it stopped, and that is asked first. With `isUndo` what the
 * restore changed that this backup was made before.
 */
export function RestoreDialog({
  backup,
  paths,
  isUndo = false,
  onClose,
}: {
  backup: Backup
  paths: readonly string[] | null
  isUndo?: boolean
  onClose: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const navigate = useNavigate()
  const { server, identity, changed, isLive, players } = useBackups()
  const [safety, setSafety] = useState(true)
  const [needsStop, setNeedsStop] = useState(false)
  const [chosen, setChosen] = useState<WarningMinutes | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const isWhole = paths === null && !isUndo
  /** Whether somebody is thrown out, as far as is known. */
  const endsGame = isLive && players > 0 && (isWhole || needsStop)
  const minutes = chosen ?? usualMinutes(players)
  const submit = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const stop = isWhole || needsStop
      const in_seconds = endsGame ? Number(minutes) * 60 : 0
      if (isUndo && backup.undoes !== null)
        await api(undoRestore, {
          params: { id: server.id, process_id: backup.undoes },
          body: { safety, stop, in_seconds },
        })
      else {
        const body = { paths: paths === null ? null : [...paths], safety, stop, in_seconds }
        await api(restoreBackup, { params: { id: server.id, snapshotId: backup.id }, body })
      }
      await changed()
      onClose()
      await navigate(`/s/${identity}/backups`)
    } catch (error) {
      if (errorCodeOf(error) === 'server_is_running') setNeedsStop(true)
      else setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  const made = format.dateTime(backup.created_at)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(isUndo ? 'backups.undoTitle' : isWhole ? 'backups.restoreTitle' : 'backups.takeTitle')}
    >
      <DialogForm
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
        onCancel={onClose}
        action={t(
          needsStop
            ? 'backups.stopAndTake'
            : isUndo
              ? 'backups.undo'
              : isWhole
                ? 'backups.restoreBegin'
                : 'backups.takeBegin',
        )}
        look={isWhole || needsStop ? 'danger' : 'primary'}
        busy={busy}
        failure={failure}
      >
        <p>
          {isUndo
            ? t('backups.undoText', { made })
            : paths === null
              ? t('backups.restoreText', { made })
              : t('backups.takeText', { made, count: paths.length })}
        </p>
        {paths !== null && (
          <ul className={classes['paths']}>
            {paths.map((path) => (
              <li key={path}>{path}</li>
            ))}
          </ul>
        )}
        {isWhole && isLive && <p>{t('backups.restoreStops')}</p>}
        {needsStop && (
          <p role="alert" className={classes['warning']}>
            {t('backups.takeStops')}
          </p>
        )}
        {endsGame && (
          <>
            <p>
              <strong>{t('backups.playersOn', { count: players })}</strong>
            </p>
            <WarningChoice players={players} minutes={minutes} onChange={setChosen} />
          </>
        )}
        {backup.incomplete && <p className={classes['warning']}>{t('backups.incompleteText')}</p>}
        <Checkbox
          label={t('backups.safety')}
          description={t('backups.safetyHint')}
          checked={safety}
          onChange={(event) => setSafety(event.currentTarget.checked)}
        />
        {!safety && (
          <p role="alert" className={classes['warning']}>
            {t('backups.noSafety')}
          </p>
        )}
      </DialogForm>
    </Modal>
  )
}
