import type { ServerStatus } from '@wakestone/contract/servers/server'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link } from 'react-router'
import { useFormat } from '#app/i18n/use-format.ts'
import classes from './server.module.css'

/** That the game ended unasked, when, and with which exit code. */
export function CrashNotice({ status, eventsPath }: { status: ServerStatus; eventsPath: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <section className={classes.crash} aria-labelledby="crash-title">
      <IconAlertTriangle size={20} aria-hidden />
      <div>
        <h2 id="crash-title">{t('server.crash.title')}</h2>
        <p>{t('server.crash.text', { date: status.terminated === null ? '–' : format.dateTime(status.terminated) })}</p>
        <p>
          <code>
            {status.termination_code === null
              ? t('server.crash.noCode')
              : t('server.crash.code', { code: status.termination_code })}
          </code>
          <Link to={eventsPath}>{t('server.crash.events')}</Link>
        </p>
      </div>
    </section>
  )
}
