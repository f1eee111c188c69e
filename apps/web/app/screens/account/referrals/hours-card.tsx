import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { serversQuery } from '#app/api/queries.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { HoursDialog } from './hours-dialog.tsx'
import { referralsQuery } from './referrals-query.ts'
import account from '../account.module.css'
import classes from './referrals.module.css'

/** The balance of hours, and the way to put them on a server. */
export function HoursCard() {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useSignedInUser()
  const { data, error, refetch } = useQuery(referralsQuery(id))
  const { data: servers = [] } = useQuery(serversQuery(id))
  const [opened, setOpened] = useState(false)
  const [done, setDone] = useState<string>()
  if (data === undefined)
    return (
      <Card title={t('referrals.hours')}>
        {error === null ? <Skeleton height={110} /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </Card>
    )
  const own = servers.filter((server) => server.owner_id === id && server.product_id !== 'FREE')
  const why = data.hours === 0 ? t('referrals.noHours') : own.length === 0 ? t('referrals.noServer') : undefined
  return (
    <Card title={t('referrals.hours')}>
      <div className={classes['balance']}>
        <strong data-testid="referral-hours">{t('referrals.hourCount', { count: data.hours })}</strong>
        {why === undefined && (
          <Button look="primary" onClick={() => setOpened(true)}>
            {t('referrals.use')}
          </Button>
        )}
      </div>
      {why !== undefined && <p className={classes['note']}>{why}</p>}
      {data.hours_owed > 0 && <p className={classes['note']}>{t('referrals.owed', { count: data.hours_owed })}</p>}
      <p className={classes['note']}>
        {t('referrals.month', {
          earned: format.number(data.hours_this_month),
          most: format.number(data.hours_per_month),
        })}
      </p>
      <p role="status" className={account['done']}>
        {done}
      </p>
      <HoursDialog
        opened={opened}
        onClose={() => setOpened(false)}
        onDone={setDone}
        hours={data.hours}
        code={data.referral_code}
        servers={own}
      />
    </Card>
  )
}
