import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { findBackupPlayer, listBackupWorlds } from '@wakestone/contract/servers/backups-routes'
import { useState } from 'react'
import { queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useBackupName } from './backup-words.tsx'
import classes from './backups.module.css'
import { RestoreDialog } from './restore-dialog.tsx'
import { useBackups } from './use-backups.ts'

/** A world, by its folder where one is meant, or all that there is of a player. */
type BackupPart = { kind: 'world'; folder: string | null } | { kind: 'player'; id: string; name: string }

/** What a world's page and a player's page offer: which backup, and then it is put back without a word of folders. */
export function PartDialog({ part, onClose }: { part: BackupPart; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = useBackupName()
  const { list, server, whyNotNow } = useBackups()
  const [chosen, setChosen] = useState('')
  const [world, setWorld] = useState(part.kind === 'world' ? (part.folder ?? '') : '')
  const [isAsking, setAsking] = useState(false)
  const backups = (list.data ?? []).filter((one) => one.deleted_at === undefined && !one.cannot_be_restored)
  const backup = backups.find(({ id }) => id === chosen) ?? backups[0]
  const params = { id: server.id, snapshotId: backup?.id ?? '' }
  const worlds = useQuery({
    ...queryOf(listBackupWorlds, { params }),
    enabled: backup !== undefined && part.kind === 'world',
  })
  const player = useQuery({
    ...queryOf(findBackupPlayer, { params: { ...params, player_id: part.kind === 'player' ? part.id : '' } }),
    enabled: backup !== undefined && part.kind === 'player',
  })
  const { data, error } = part.kind === 'world' ? worlds : player
  const folder = part.kind === 'world' ? part.folder : null
  const ofWorld = worlds.data?.find((one) => one.folder === world) ?? (folder === null ? worlds.data?.[0] : undefined)
  const found = part.kind === 'player' ? player.data : ofWorld
  const isMissing = data !== undefined && (found === undefined || found.paths.length === 0)
  if (isAsking && backup !== undefined && found !== undefined)
    return <RestoreDialog backup={backup} paths={found.paths} onClose={onClose} />
  const why =
    whyNotNow ??
    (backup === undefined ? t('backups.part.noBackup') : isMissing ? t(`backups.part.missing.${part.kind}`) : undefined)
  return (
    <Modal
      opened
      onClose={onClose}
      title={part.kind === 'player' ? t('backups.part.playerTitle', { name: part.name }) : t('backups.part.worldTitle')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            look="primary"
            why={why}
            loading={backup !== undefined && data === undefined && error === null}
            onClick={() => setAsking(true)}
          >
            {t('backups.part.next')}
          </Button>
        </>
      }
    >
      <div className={classes['parts']}>
        <p>{t(`backups.part.text.${part.kind}`)}</p>
        {list.data === undefined && list.error === null && <Skeleton height={60} />}
        {list.error !== null && <ErrorNote error={list.error} />}
        {backups.length > 0 && (
          <NativeSelect
            label={t('backups.backup')}
            value={backup?.id ?? ''}
            data={backups.map((one) => ({
              value: one.id,
              label: `${nameOf(one)}${one.name === null ? '' : ` · ${format.dateTime(one.created_at)}`} · ${t(`backups.kind.${one.kind}`)}`,
            }))}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        )}
        {list.data !== undefined && backups.length === 0 && <p>{t('backups.part.noBackup')}</p>}
        {part.kind === 'world' && part.folder === null && (worlds.data?.length ?? 0) > 0 && (
          <NativeSelect
            label={t('backups.part.world')}
            value={ofWorld?.folder ?? ''}
            data={worlds.data?.map((one) => one.folder) ?? []}
            onChange={(event) => setWorld(event.currentTarget.value)}
          />
        )}
        {error !== null && <ErrorNote error={error} />}
        {isMissing && <p role="status">{t(`backups.part.missing.${part.kind}`)}</p>}
        {found !== undefined && found.paths.length > 0 && (
          <p role="status">{t('backups.part.found', { size: format.bytes(found.bytes) })}</p>
        )}
      </div>
    </Modal>
  )
}
