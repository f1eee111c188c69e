import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { IconX } from '@tabler/icons-react'
import { closeFirstSteps } from '@wakestone/contract/accounts/first-steps-routes'
import { type FirstStep, firstSteps } from '@wakestone/contract/accounts/first-steps'
import { api } from '#app/api/client.ts'
import { firstStepsQuery } from '#app/features/session/first-steps-query.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useMainWallet } from '#app/features/shell/use-main-wallet.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Checklist } from '#app/ui/checklist.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import classes from './servers.module.css'

/** What to do first, for who has just come; gone once all of it is done, or for who does not want to see it. */
export function FirstSteps() {
  const { t } = useTranslation()
  const path = usePath()
  const queries = useQueryClient()
  const user = useSignedInUser()
  const wallet = useMainWallet()
  const { data } = useQuery(firstStepsQuery())
  const close = useMutation({
    mutationFn: () => api(closeFirstSteps, {}),
    onSuccess: () => queries.setQueryData(firstStepsQuery().queryKey, (told) => told && { ...told, closed: true }),
    onError: (error) => showErrorToast(error),
  })
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
          {/* Who only looks through somebody else's eyes decides nothing for them. */}
          {user.actor === undefined && (
            <Button look="quiet" size="small" icon={<IconX />} loading={close.isPending} onClick={() => close.mutate()}>
              {t('firstSteps.close')}
            </Button>
          )}
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
