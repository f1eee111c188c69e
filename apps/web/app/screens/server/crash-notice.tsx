import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle } from '@tabler/icons-react'
import { ranWellMinutes } from '@wakestone/contract/servers/crash'
import type { CrashLike } from '#app/features/crash/crash-facts.ts'
import { Link } from 'react-router'
import { CrashMends } from '#app/features/crash/crash-mends.tsx'
import { CrashWords } from '#app/features/crash/crash-words.tsx'
import { lastCrashQuery } from '#app/features/servers/server-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { ConsoleSurface } from '#app/ui/console-surface.tsx'
import classes from './server.module.css'
import type { ServerPage } from './use-server-page.ts'

/**
 * That the game ended unasked: when, why, what helps, and its last lines. It stays, more quietly, until the game has run
 * well again. Nothing where there is nothing to tell.
 */
export function CrashNotice({ page, eventsPath }: { page: ServerPage; eventsPath: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { server, status, state } = page
  const { data } = useQuery(lastCrashQuery(server.id))
  const told = data?.crash ?? null
  const isDown = state === 'crashed'
  if (!isDown && (told === null || told.is_over)) return null
  const crash: CrashLike = told ?? {
    tag: 'unknown',
    details: {},
    exit: { code: status.termination_code, signal: null },
  }
  return (
    <section className={classes.notice} data-past={!isDown || undefined} aria-labelledby="crash-title">
      <IconAlertTriangle size={20} aria-hidden />
      <div>
        <h2 id="crash-title">
          {isDown || told === null
            ? t('server.crash.title')
            : t('server.crash.lastTitle', { date: format.dateTime(told.at) })}
        </h2>
        {isDown && (
          <p>
            {t('server.crash.text', { date: status.terminated === null ? '–' : format.dateTime(status.terminated) })}
          </p>
        )}
        {data !== undefined && <CrashWords crash={crash} />}
        {told !== null && told.heap !== null && (
          <p>{t('crash.heap', { used: format.bytes(told.heap.used), max: format.bytes(told.heap.max) })}</p>
        )}
        {data !== undefined && (
          <CrashMends crash={crash} server={server} identity={page.identity} canManage={page.canManage} />
        )}
        {told !== null && told.last_lines.length > 0 && (
          <details className={classes.crashLines}>
            <summary>{t('crash.lastLines')}</summary>
            <ConsoleSurface label={t('crash.lastLines')} lines={told.last_lines} />
          </details>
        )}
        <p>
          {!isDown && <span className={classes.muted}>{t('server.crash.stays', { count: ranWellMinutes })} </span>}
          <Link to={eventsPath}>{t('server.crash.events')}</Link>
        </p>
      </div>
    </section>
  )
}
