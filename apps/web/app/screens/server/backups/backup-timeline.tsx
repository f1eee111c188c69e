import type { Backup } from '@wakestone/contract/servers/backups'
import { Link } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { useNow } from '#app/ui/use-now.ts'
import { useServerPage } from '../use-server-page.ts'
import { useBackupName } from './backup-words.tsx'
import classes from './backups.module.css'

const kinds = ['manual', 'auto', 'safety'] as const

/** How far back one can go: each backup at its time, from the oldest until now. */
export function BackupTimeline({ backups }: { backups: readonly Backup[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = useBackupName()
  const { identity } = useServerPage()
  const times = backups.map(({ created_at }) => Date.parse(created_at))
  const oldest = Math.min(...times)
  const now = useNow() ?? Math.max(...times)
  const span = Math.max(1, now - oldest)
  return (
    <div className={classes['parts']}>
      <div>
        <ol className={classes['timeline']} aria-label={t('backups.timeline')} reversed>
          {backups.map((backup) => (
            <li
              key={backup.id}
              style={{ left: `calc(12px + (100% - 24px) * ${(Date.parse(backup.created_at) - oldest) / span})` }}
            >
              <Link
                to={`/s/${identity}/backups/${backup.id}`}
                title={`${nameOf(backup)} · ${t(`backups.kind.${backup.kind}`)}`}
                aria-label={`${nameOf(backup)}, ${t(`backups.kind.${backup.kind}`)}`}
                data-kind={backup.kind}
              >
                <Mark kind={backup.kind} />
              </Link>
            </li>
          ))}
        </ol>
        <div className={classes['ends']}>
          <span>{format.dateTime(oldest)}</span>
          <span>{t('backups.now')}</span>
        </div>
      </div>
      <ul className={classes['legend']}>
        {kinds.map((kind) => (
          <li key={kind}>
            <span className={classes['timeline']} style={{ height: 'auto', border: 0 }}>
              <span data-kind={kind}>
                <Mark kind={kind} />
              </span>
            </span>
            {t(`backups.kindLong.${kind}`)}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** A shape for each kind: colour alone says nothing to everybody. */
function Mark({ kind }: { kind: Backup['kind'] }) {
  return (
    <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
      {kind === 'manual' && <circle cx="6" cy="6" r="5" fill="currentColor" />}
      {kind === 'auto' && <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="2" />}
      {kind === 'safety' && <rect x="1.5" y="1.5" width="9" height="9" rx="1.5" fill="currentColor" />}
    </svg>
  )
}
