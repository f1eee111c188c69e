import { useQueryClient } from '@tanstack/react-query'
import { getServer } from '@wakestone/contract/servers/servers-routes'
import { useEffect } from 'react'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { RestartToApply } from '#app/features/power/restart-to-apply.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './server.module.css'
import { useServerPage } from './use-server-page.ts'

/** That new limits wait for the next start, with a restart for whoever does not want to wait. Nothing otherwise. */
export function LimitsPending() {
  const { t } = useTranslation()
  const { server, state, status, canPower } = useServerPage()
  const queries = useQueryClient()
  const isPending = server.parameters.limits_pending
  // Once the server starts, the new limits apply: load it again.
  useEffect(() => {
    if (isPending && state !== 'stopped') void makeStale(queries, answersOf(getServer, { id: server.id }))
  }, [isPending, state, queries, server.id])
  if (!isPending) return null
  return (
    <div className={classes.limitsPending}>
      <p role="status">{t('plans.pending')}</p>
      <RestartToApply server={server} state={state} canPower={canPower} players={status.players.online} />
    </div>
  )
}
