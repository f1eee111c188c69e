import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import classes from './files.module.css'
import { diskQuery } from './files-queries.ts'
import { useFiles } from './use-files.ts'

/** From this share on it is told what to do about it. */
const warnFrom = 0.9

function useDisk() {
  const { serverId } = useFiles()
  const { data } = useQuery(diskQuery(serverId))
  if (data === undefined) return undefined
  const limit = data.limit ?? data.blocks * data.bsize
  const share = limit === 0 ? 0 : Math.min(1, data.used / limit)
  return { used: data.used, trash: data.trash, limit, share, isLow: share >= warnFrom }
}

/** How full the disk is. */
export function DiskBar() {
  const { t } = useTranslation()
  const format = useFormat()
  const disk = useDisk()
  if (disk === undefined) return <div className={classes['disk']} aria-hidden />
  const text = t('files.disk.used', { used: format.bytes(disk.used), limit: format.bytes(disk.limit) })
  return (
    <div className={classes['disk']} data-low={disk.isLow || undefined}>
      <div
        className={classes['diskTrack']}
        role="meter"
        aria-label={t('files.disk.label')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(disk.share * 100)}
        aria-valuetext={text}
      >
        <div style={{ width: `${disk.share * 100}%` }} />
      </div>
      <span>{text}</span>
    </div>
  )
}

/** What to do about a disk that is nearly full. */
export function DiskWarning() {
  const { t } = useTranslation()
  const format = useFormat()
  const { identity } = useFiles()
  const disk = useDisk()
  if (disk?.isLow !== true) return null
  return (
    <p className={classes['low']} role="status">
      {t('files.disk.low', { left: format.bytes(Math.max(0, disk.limit - disk.used)) })}{' '}
      {disk.trash > 0 && (
        <Link to={`/s/${identity}/files/trash`}>{t('files.disk.trash', { size: format.bytes(disk.trash) })}</Link>
      )}
    </p>
  )
}
