import type { Server } from '@wakestone/contract/servers/server'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { LinkButton } from '#app/ui/button.tsx'
import { useServerPage } from '../use-server-page.ts'
import classes from './addresses.module.css'

/** Why nothing can be added, where everybody sees it, and a way to a plan with more for whoever pays for the server. */
export function WhyNot({
  server,
  why,
  isOfPlan,
}: {
  server: Pick<Server, 'owner_id' | 'expires'>
  why: string | undefined
  /** Whether another plan would help. */
  isOfPlan: boolean
}) {
  const { t } = useTranslation()
  const user = useSignedInUser()
  const { identity } = useServerPage()
  if (why === undefined) return null
  return (
    <div className={classes['why']}>
      <p className={classes['hint']}>{why}</p>
      {isOfPlan && server.owner_id === user.id && server.expires !== null && (
        <LinkButton size="small" to={`/s/${identity}/payments/upgrade`}>
          {t('plans.change')}
        </LinkButton>
      )}
    </div>
  )
}
