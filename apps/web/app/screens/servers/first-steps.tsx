import { useQuery } from '@tanstack/react-query'
import { type FirstStep, firstSteps } from '@wakestone/contract/accounts/first-steps'
import { CloseFirstSteps } from '#app/features/session/close-first-steps.tsx'
import { firstStepsQuery } from '#app/features/session/first-steps-query.ts'
import { useMainWallet } from '#app/features/shell/use-main-wallet.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Checklist } from '#app/ui/checklist.tsx'
import classes from './servers.module.css'

/** What to do first, for who has just come; gone once all of it is done, or for who does not want to see it. */
export function FirstSteps() {
  const { t } = useTranslation()
  const path = usePath()
  const wallet = useMainWallet()
  const { data } = useQuery(firstStepsQuery())
  if (data === undefined || data.closed || data.done.length === firstSteps.length) return null
  const { done, server_id: serverId } = data
  const at = (screen: string) => (serverId === null ? undefined : `/s/${serverId}${screen}`)
  const places: Record<FirstStep, string | undefined> = {
    confirm_email: path('/account/settings'),
    top_up: wallet && path(`/wallets/${wallet.id}/recharge`),
    rent: path('/create'),
    join: at(''),
    invite: at('/settings/access') ?? path('/account/referrals'),
    backup: at('/backups'),
  }
  return (
    <Card
      className={classes['first']}
      title={t('firstSteps.title')}
      beside={
        <div className={classes['firstBeside']}>
          <span>{t('checklist.count', { done: done.length, all: firstSteps.length })}</span>
          <CloseFirstSteps />
        </div>
      }
    >
      <Checklist
        label={t('firstSteps.title')}
        items={firstSteps.map((step) => {
          const to = places[step]
          return {
            key: step,
            done: done.includes(step),
            title: t(`firstSteps.steps.${step}.title`),
            text: to === undefined ? t('firstSteps.needsServer') : t(`firstSteps.steps.${step}.text`),
            ...(to === undefined
              ? {}
              : {
                  action: (
                    <LinkButton to={to} size="small">
                      {t(`firstSteps.steps.${step}.action`)}
                    </LinkButton>
                  ),
                }),
          }
        })}
      />
    </Card>
  )
}
