import { useQuery } from '@tanstack/react-query'
import { IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { type FirstStep, firstSteps } from '@wakestone/contract/accounts/first-steps'
import { serversQuery } from '#app/api/queries.ts'
import { serverPath } from '#app/features/servers/server-names.ts'
import { CloseFirstSteps } from '#app/features/session/close-first-steps.tsx'
import { firstStepsQuery } from '#app/features/session/first-steps-query.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useMainWallet } from '#app/features/shell/use-main-wallet.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Checklist } from '#app/ui/checklist.tsx'
import classes from './servers.module.css'

/** What to do first, for who has just come; one line once there is a server, gone once all of it is done, or for who does not want to see it. */
export function FirstSteps() {
  const { t } = useTranslation()
  const path = usePath()
  const wallet = useMainWallet()
  const { data } = useQuery(firstStepsQuery())
  const { data: servers = [] } = useQuery(serversQuery(useSignedInUser().id))
  const [isOpen, setOpen] = useState(false)
  const listId = useId()
  if (data === undefined || data.closed || data.done.length === firstSteps.length) return null
  const { done, server_id: serverId } = data
  const server = servers.find(({ id }) => id === serverId)
  const home = server === undefined ? serverId && `/s/${serverId}` : serverPath(server)
  const at = (screen: string) => (home === null ? undefined : home + screen)
  const places: Record<FirstStep, string | undefined> = {
    confirm_email: path('/account/settings'),
    top_up: wallet && path(`/wallets/${wallet.id}/recharge`),
    rent: path('/create'),
    join: at(''),
    invite: at('/settings/access') ?? path('/account/referrals'),
    backup: at('/backups'),
  }
  const list = (
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
  )
  const count = t('checklist.count', { done: done.length, all: firstSteps.length })
  const next = firstSteps.find((step) => !done.includes(step))
  if (serverId !== null)
    return (
      <Card className={classes['first']} padded={false}>
        <div className={classes['firstLine']}>
          <button type="button" aria-expanded={isOpen} aria-controls={listId} onClick={() => setOpen(!isOpen)}>
            <IconChevronRight size={16} aria-hidden="true" />
            <span>
              <strong>{t('firstSteps.title')}</strong>
              <span className={classes['firstNext']}>
                {count}
                {next !== undefined && ` · ${t('firstSteps.next', { step: t(`firstSteps.steps.${next}.title`) })}`}
              </span>
            </span>
          </button>
          <CloseFirstSteps />
        </div>
        <div id={listId} className={classes['firstList']} hidden={!isOpen}>
          {isOpen && list}
        </div>
      </Card>
    )
  return (
    <Card
      className={classes['first']}
      title={t('firstSteps.title')}
      beside={
        <div className={classes['firstBeside']}>
          <span>{count}</span>
          <CloseFirstSteps />
        </div>
      }
    >
      {list}
    </Card>
  )
}
