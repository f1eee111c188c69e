import { useQuery } from '@tanstack/react-query'
import { IconShieldBolt } from '@tabler/icons-react'
import { Link } from 'react-router'
import { antibotQuery } from '#app/features/servers/antibot-query.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import classes from './server.module.css'

/** That bots attack right now, and how many were turned away. Nothing while it is quiet. */
export function AttackNotice({ serverId, settingsPath }: { serverId: string; settingsPath: string }) {
  const { t } = useTranslation()
  const { data } = useQuery(antibotQuery(serverId))
  const latest = data?.attacks[0]
  if (latest?.until !== null) return null
  return (
    <section className={classes.notice} role="status" aria-labelledby="attack-title">
      <IconShieldBolt size={20} aria-hidden />
      <div>
        <h2 id="attack-title">
          {t('antibot.attacked')} <DateTime value={latest.since} />
        </h2>
        <p>{t('antibot.attackedCount', { count: latest.turned_away })}</p>
        <p>
          <Link to={`${settingsPath}#antibot`}>{t('antibot.title')}</Link>
        </p>
      </div>
    </section>
  )
}
