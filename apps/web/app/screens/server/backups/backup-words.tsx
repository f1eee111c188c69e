import type { Backup } from '@wakestone/contract/servers/backups'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Badge, type BadgeColour, type BadgeShape } from '#app/ui/state-badge.tsx'
import classes from './backups.module.css'

/** What one is called: by its owner, or by when it was made. */
export function useBackupName(): (backup: Pick<Backup, 'name' | 'created_at'>) => string {
  const format = useFormat()
  return ({ name, created_at }) => name ?? format.dateTime(created_at)
}

const kindLooks: Record<Backup['kind'], { colour: BadgeColour; shape: BadgeShape }> = {
  manual: { colour: 'lantern', shape: 'filled' },
  auto: { colour: 'moss', shape: 'ring' },
  safety: { colour: 'dusk', shape: 'square' },
}

/** Of which kind it is, and what is to be known of it. */
export function BackupBadges({ backup }: { backup: Backup }) {
  const { t } = useTranslation()
  const { kind, pinned, incomplete, cannot_be_restored, verified_at, deleted_at } = backup
  return (
    <span className={classes['badges']}>
      <Badge {...kindLooks[kind]} size="small">
        {t(`backups.kind.${kind}`)}
      </Badge>
      {pinned && kind !== 'manual' && (
        <Badge colour="muted" shape="filled" size="small">
          {t('backups.pinned')}
        </Badge>
      )}
      {incomplete && (
        <Badge colour="ember" shape="triangle" size="small">
          {t('backups.incomplete')}
        </Badge>
      )}
      {cannot_be_restored ? (
        <Badge colour="ember" shape="triangle" size="small">
          {t('backups.damaged')}
        </Badge>
      ) : (
        verified_at === null && (
          <Badge colour="muted" shape="pulse" size="small">
            {t('backups.unverified')}
          </Badge>
        )
      )}
      {deleted_at !== undefined && (
        <Badge colour="muted" shape="square" size="small">
          {t('backups.deleted')}
        </Badge>
      )}
    </span>
  )
}
