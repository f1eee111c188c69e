import { useQuery } from '@tanstack/react-query'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import classes from '../account.module.css'
import { payLaterQuery } from '#app/features/payment/pay-later-query.ts'

/** How much may be bought and paid later, or why nothing. */
export function LimitsCard() {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useSignedInUser()
  const { data, error, refetch } = useQuery(payLaterQuery(id))
  if (data === undefined)
    return (
      <Card title={t('bills.limits')}>
        {error === null ? <Skeleton height={80} /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </Card>
    )
  return (
    <Card title={t('bills.limits')}>
      <p className={classes['text']}>
        {data.refusal === null ? t('bills.limitsText', { count: data.days }) : t(`bills.refusals.${data.refusal}`)}
      </p>
      {data.refusal === null && (
        <KeyValueList
          rows={data.limits
            .filter(({ limit, open }) => limit + open > 0)
            .map(({ currency, limit, available }) => ({
              key: t('bills.ofLimit', { limit: format.money({ amount: limit, currency }) }),
              value: format.money({ amount: available, currency }),
            }))}
        />
      )}
    </Card>
  )
}
