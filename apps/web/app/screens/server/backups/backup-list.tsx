import { IconRestore } from '@tabler/icons-react'
import type { Backup } from '@wakestone/contract/servers/backups'
import { bringBackBackup } from '@wakestone/contract/servers/backups-routes'
import { useState } from 'react'
import { Link } from 'react-router'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { type Column, DataTable } from '#app/ui/data-table.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { BackupBadges, useBackupName } from './backup-words.tsx'
import classes from './backups.module.css'
import { RestoreDialog } from './restore-dialog.tsx'
import { useBackups } from './use-backups.ts'

/** Backups, newest first. */
export function BackupList({ label, backups }: { label: string; backups: readonly Backup[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = useBackupName()
  const { server, identity, changed, whyNotNow, whyNoChange } = useBackups()
  const [restored, setRestored] = useState<Backup | null>(null)
  const [failure, setFailure] = useState<unknown>(undefined)
  const bringBack = async (backup: Backup) => {
    setFailure(undefined)
    try {
      await api(bringBackBackup, { params: { id: server.id, snapshotId: backup.id } })
      await changed()
    } catch (error) {
      setFailure(error)
    }
  }
  const columns: Column<Backup>[] = [
    {
      key: 'name',
      header: t('backups.backup'),
      phone: 'title',
      cell: (backup) => (
        <span className={classes['title']}>
          <Link to={`/s/${identity}/backups/${backup.id}`}>{nameOf(backup)}</Link>
          <BackupBadges backup={backup} />
        </span>
      ),
    },
    { key: 'made', header: t('backups.made'), cell: ({ created_at }) => format.dateTime(created_at) },
    {
      key: 'size',
      header: t('backups.size'),
      align: 'end',
      cell: ({ details }) => format.bytes(details.total_bytes_processed),
    },
    {
      key: 'added',
      header: t('backups.added'),
      align: 'end',
      phone: 'hidden',
      cell: ({ details }) => format.bytes(details.data_added_packed),
    },
    {
      key: 'goes',
      header: t('backups.goes'),
      cell: ({ removed_at, pinned, kind }) =>
        removed_at === null
          ? pinned && kind !== 'manual'
            ? t('backups.stays')
            : t('backups.staysUntilDeleted')
          : format.date(removed_at),
    },
    {
      key: 'actions',
      header: t('backups.actions'),
      phone: 'buttons',
      align: 'end',
      cell: (backup) =>
        backup.deleted_at === undefined ? (
          <Button
            size="small"
            icon={<IconRestore />}
            why={whyNotNow ?? (backup.cannot_be_restored ? t('backups.damagedText') : undefined)}
            aria-label={t(backup.undoes === null ? 'backups.restoreOne' : 'backups.undoOne', { name: nameOf(backup) })}
            onClick={() => setRestored(backup)}
          >
            {t(backup.undoes === null ? 'backups.restore' : 'backups.undo')}
          </Button>
        ) : (
          <Button
            size="small"
            why={whyNoChange}
            aria-label={t('backups.bringBackOne', { name: nameOf(backup) })}
            onClick={() => void bringBack(backup)}
          >
            {t('backups.bringBack')}
          </Button>
        ),
    },
  ]
  return (
    <>
      {failure !== undefined && <ErrorNote error={failure} />}
      <DataTable label={label} columns={columns} rows={backups} rowKey={({ id }) => id} empty={null} />
      {restored !== null && (
        <RestoreDialog
          backup={restored}
          paths={null}
          isUndo={restored.undoes !== null}
          onClose={() => setRestored(null)}
        />
      )}
    </>
  )
}
