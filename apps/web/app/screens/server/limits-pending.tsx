import { RestartToApply } from '#app/features/power/restart-to-apply.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './server.module.css'
import { useServerPage } from './use-server-page.ts'

/** That new limits wait for the next start, with a restart for whoever does not want to wait. Nothing otherwise. */
export function LimitsPending() {
  const { t } = useTranslation()
  const { server, state, status, canPower } = useServerPage()
  if (!server.parameters.limits_pending) return null
  return (
    <div className={classes.limitsPending}>
      <p role="status">{t('plans.pending')}</p>
      <RestartToApply server={server} state={state} canPower={canPower} players={status.players.online} />
    </div>
  )
}
