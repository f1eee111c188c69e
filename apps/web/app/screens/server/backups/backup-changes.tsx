import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Backup } from '@wakestone/contract/servers/backups'
import { compareBackup } from '@wakestone/contract/servers/backups-routes'
import { useState } from 'react'
import { queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useBackupName } from './backup-words.tsx'
import classes from './backups.module.css'
import { useBackups } from './use-backups.ts'

/** What has changed since a backup, until now or until another one. */
export function BackupChanges({ backup }: { backup: Backup }) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = useBackupName()
  const { server, list } = useBackups()
  const [until, setUntil] = useState('now')
  const { data, error, refetch } = useQuery(
    queryOf(compareBackup, { params: { id: server.id, snapshotId: backup.id }, query: { until } }),
  )
  const others = (list.data ?? []).filter(({ id, cannot_be_restored }) => id !== backup.id && !cannot_be_restored)
  return (
    <>
      <NativeSelect
        label={t('backups.until')}
        value={until}
        data={[
          { value: 'now', label: t('backups.untilNow') },
          ...others.map((other) => ({ value: other.id, label: nameOf(other) })),
        ]}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
      {data === undefined ? (
        error === null ? (
          <Skeleton height={160} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : data.changes.length === 0 ? (
        <p>{t('backups.nothingChanged')}</p>
      ) : (
        <>
          <p>
            {t('backups.changesText', {
              added: format.number(data.added),
              changed: format.number(data.changed),
              removed: format.number(data.removed),
            })}
          </p>
          <ul className={classes['changes']}>
            {data.changes.map(({ path, kind, size }) => (
              <li key={path}>
                <span data-kind={kind}>{t(`backups.change.${kind}`)}</span>
                <span>{path}</span>
                <span className={classes['muted']}>{format.bytes(size)}</span>
              </li>
            ))}
          </ul>
          {data.truncated && <p className={classes['muted']}>{t('backups.changesTruncated')}</p>}
        </>
      )}
    </>
  )
}
