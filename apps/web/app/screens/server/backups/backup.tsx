import { TextInput } from '@mantine/core'
import { IconArrowLeft, IconDownload, IconPin, IconRestore, IconTrash } from '@tabler/icons-react'
import { backupNameLength, type Backup } from '@wakestone/contract/servers/backups'
import { changeBackup, deleteBackup } from '@wakestone/contract/servers/backups-routes'
import { useState } from 'react'
import { Link, useNavigate, useParams, useSearchParams } from 'react-router'
import { api } from '#app/api/client.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { engineName } from '#app/features/servers/server-names.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { TabLinks } from '#app/ui/tab-links.tsx'
import { BackupChanges } from './backup-changes.tsx'
import { BackupFiles } from './backup-files.tsx'
import { BackupBadges, useBackupName } from './backup-words.tsx'
import classes from './backups.module.css'
import { contentAddress } from './content-address.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import { useBackups } from './use-backups.ts'

/** `/s/{identity}/backups/{id}`: one backup, what it holds, and what has changed since. */
export default function ServerBackup() {
  const { t } = useTranslation()
  const { backupId } = useParams()
  const { list, server, identity } = useBackups()
  const nameOf = useBackupName()
  const backup = list.data?.find(({ id }) => id === backupId)
  const title = backup === undefined ? t('backups.backup') : nameOf(backup)
  return (
    <>
      <PageMeta page="serverBackups" title={`${title} · ${server.name}`} />
      {backup !== undefined ? (
        <Shown key={backup.id} backup={backup} />
      ) : list.error !== null ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : list.data === undefined ? (
        <Skeleton height={260} />
      ) : (
        <>
          <PageHeader title={title} />
          <Card>
            <EmptyState
              title={t('backups.goneTitle')}
              text={t('backups.goneText')}
              figure="none"
              action={<LinkButton to={`/s/${identity}/backups`}>{t('backups.toAll')}</LinkButton>}
            />
          </Card>
        </>
      )}
    </>
  )
}

function Shown({ backup }: { backup: Backup }) {
  const { t } = useTranslation()
  const nameOf = useBackupName()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const { server, identity, changed, whyNotNow, whyNoChange } = useBackups()
  const [dialog, setDialog] = useState<'restore' | 'delete' | null>(null)
  const [failure, setFailure] = useState<unknown>(undefined)
  const params = { id: server.id, snapshotId: backup.id }
  const address = `/s/${identity}/backups/${backup.id}`
  const isComparing = query.get('tab') === 'changes'
  const isDeleted = backup.deleted_at !== undefined
  const whyNot = isDeleted ? t('backups.deletedText') : backup.cannot_be_restored ? t('backups.damagedText') : undefined
  const pin = async () => {
    setFailure(undefined)
    try {
      await api(changeBackup, { params, body: { pinned: !backup.pinned } })
      await changed()
    } catch (error) {
      setFailure(error)
    }
  }
  return (
    <>
      <PageHeader
        title={nameOf(backup)}
        text={
          <Link to={`/s/${identity}/backups`} className={classes['back']}>
            <IconArrowLeft size={16} aria-hidden />
            {t('backups.toAll')}
          </Link>
        }
        actions={
          <Button look="primary" icon={<IconRestore />} why={whyNotNow ?? whyNot} onClick={() => setDialog('restore')}>
            {t('backups.restoreAll')}
          </Button>
        }
      />
      <div className={classes['cards']}>
        <Card>
          <div className={classes['parts']}>
            <BackupBadges backup={backup} />
            <Facts backup={backup} />
            {failure !== undefined && <ErrorNote error={failure} />}
            {whyNoChange === undefined && !isDeleted && <NameForm backup={backup} onSaved={changed} />}
            <div className={classes['actions']}>
              {whyNoChange === undefined && !backup.cannot_be_restored && (
                <LinkButton size="small" icon={<IconDownload />} to={contentAddress(server.id, backup.id, '')} reload>
                  {t('backups.downloadAll')}
                </LinkButton>
              )}
              {/* One made by hand stays in any case. */}
              {backup.kind !== 'manual' && (
                <Button
                  size="small"
                  look="quiet"
                  icon={<IconPin />}
                  why={whyNoChange ?? (isDeleted ? whyNot : undefined)}
                  onClick={() => void pin()}
                >
                  {t(backup.pinned ? 'backups.unpin' : 'backups.pin')}
                </Button>
              )}
              <Button
                size="small"
                look="quiet"
                icon={<IconTrash />}
                why={
                  whyNoChange ?? (isDeleted ? whyNot : backup.kind === 'manual' ? undefined : t('backups.notByHand'))
                }
                onClick={() => setDialog('delete')}
              >
                {t('backups.delete')}
              </Button>
            </div>
          </div>
        </Card>
        <Card>
          <div className={classes['parts']}>
            <TabLinks
              label={t('backups.parts')}
              tabs={[
                { to: address, label: t('backups.files'), active: !isComparing },
                { to: `${address}?tab=changes`, label: t('backups.changes'), active: isComparing },
              ]}
            />
            {backup.cannot_be_restored ? (
              <p>{t('backups.damagedText')}</p>
            ) : isComparing ? (
              <BackupChanges backup={backup} />
            ) : (
              <BackupFiles backup={backup} />
            )}
          </div>
        </Card>
      </div>
      {dialog === 'restore' && <RestoreDialog backup={backup} paths={null} onClose={() => setDialog(null)} />}
      <ConfirmDialog
        opened={dialog === 'delete'}
        onClose={() => setDialog(null)}
        title={t('backups.deleteTitle', { name: nameOf(backup) })}
        text={t('backups.deleteText')}
        action={t('backups.delete')}
        onConfirm={async () => {
          await api(deleteBackup, { params })
          await changed()
          await navigate(`/s/${identity}/backups`)
        }}
      />
    </>
  )
}

function Facts({ backup }: { backup: Backup }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { details, created_at, cause, executor, verified_at, removed_at, engine, engine_version } = backup
  return (
    <KeyValueList
      rows={[
        { key: t('backups.made'), value: format.dateTime(created_at) },
        {
          key: t('backups.why'),
          value: `${t(`backups.cause.${cause}`)}${executor === null ? '' : ` · ${executor.username}`}`,
        },
        {
          key: t('backups.holds'),
          value: t('backups.holdsText', {
            count: details.total_files_processed,
            bytes: format.bytes(details.total_bytes_processed),
          }),
        },
        {
          key: t('backups.differs'),
          value: t('backups.differsText', {
            added: format.number(details.files_new),
            changed: format.number(details.files_changed),
            bytes: format.bytes(details.data_added_packed),
          }),
        },
        { key: t('backups.took'), value: format.duration(details.total_duration) },
        { key: t('backups.engine'), value: `${engineName(engine)} ${engine_version}` },
        {
          key: t('backups.verified'),
          value: verified_at === null ? t('backups.unverified') : format.dateTime(verified_at),
        },
        ...(removed_at === null ? [] : [{ key: t('backups.goes'), value: format.dateTime(removed_at) }]),
      ]}
    />
  )
}

function NameForm({ backup, onSaved }: { backup: Backup; onSaved: () => Promise<unknown> }) {
  const { t } = useTranslation()
  const { server } = useBackups()
  const [name, setName] = useState(backup.name ?? '')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const save = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const params = { id: server.id, snapshotId: backup.id }
      await api(changeBackup, { params, body: { name: name.trim() === '' ? null : name.trim() } })
      await onSaved()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className={classes['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextInput
        label={t('backups.name')}
        maxLength={backupNameLength}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {name.trim() !== (backup.name ?? '') && (
        <div>
          <Button type="submit" size="small" loading={busy}>
            {t('backups.saveName')}
          </Button>
        </div>
      )}
      {failure !== undefined && <ErrorNote error={failure} />}
    </form>
  )
}
