import { useQuery } from '@tanstack/react-query'
import { hoursOfPeriod } from '@wakestone/contract/primitives'
import type { PaymentMethod } from '@wakestone/contract/transaction'
import type { ShownVoucher } from '@wakestone/contract/voucher'
import { getProductCost } from '@wakestone/contract/routes/billings'
import { useEffect, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { api } from '#app/api/client.ts'
import { MethodChoice } from '#app/features/payment/method-choice.tsx'
import { TopUpLink } from '#app/features/payment/top-up-link.tsx'
import type { OtherMethod } from '#app/features/payment/use-payment-methods.ts'
import { planName } from '#app/features/servers/server-names.ts'
import { VoucherField } from '#app/features/vouchers/voucher-field.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Price } from '#app/ui/money.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { PartError } from './create-form.tsx'
import classes from './create.module.css'
import { type Choice, type Draft, writeDraft } from './draft.ts'

type Props = {
  choice: Choice
  draft: Draft
  /** A voucher that pays for the whole server. */
  paidBy: ShownVoucher | undefined
  trialRefusal: unknown
  onVoucher: (code: string | null) => void
  /** Ways to pay beside the wallet, and the one that was chosen instead of it. */
  others: readonly OtherMethod[]
  other: OtherMethod | undefined
  onMethod: (method: PaymentMethod) => void
  isPending: boolean
  isComplete: boolean
  refusal: PartError
}

/** What the API says it costs; the form never computes a price itself. */
function useCost({ plan, period, cluster, wallet }: Choice, voucher: string | null) {
  return useQuery({
    queryKey: ['cost', plan?.id, period, cluster?.id, wallet?.currency, voucher],
    retry: voucher === null, // a wrong code counts as a guess
    queryFn: async () => {
      const costs = await api(getProductCost, {
        params: { id: plan?.id ?? '' },
        query: {
          currency: wallet?.currency ?? 'PLN',
          period,
          cluster_id: cluster?.id,
          ...(voucher !== null && { vouchers: voucher }),
        },
      })
      return costs.find((cost) => cost.period === period && cost.cluster_id === cluster?.id) ?? null
    },
    enabled: plan !== undefined && period !== undefined && cluster !== undefined && wallet !== undefined,
  })
}

/** Before the purchase: what is charged, from which wallet, what is left, until when it runs. */
export function Summary(props: Props) {
  const { choice, draft, paidBy, trialRefusal, onVoucher, isPending, isComplete, refusal } = props
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const full = useCost(choice, null)
  const isDiscounted = draft.voucher !== null && paidBy === undefined
  const discounted = useCost(choice, isDiscounted ? draft.voucher : null)
  const cost = isDiscounted && discounted.data ? discounted : full
  const misfit = isDiscounted ? discounted.error : null
  const [now, setNow] = useState<number | null>(null)
  // The browser's clock, after hydration: the server's page may be a moment older.
  useEffect(() => setNow(Date.now()), [choice.period])
  const { plan, period, wallet } = choice
  const { others, other } = props
  const gross =
    paidBy !== undefined && wallet !== undefined ? { amount: 0, currency: wallet.currency } : cost.data?.gross_price
  const funds = other?.available ?? wallet?.balance.amount ?? 0
  const missing = gross === undefined || wallet === undefined ? 0 : Math.max(0, gross.amount - funds)
  const after =
    gross === undefined || wallet === undefined
      ? null
      : { amount: wallet.balance.amount - (other === undefined ? gross.amount : 0), currency: wallet.currency }
  const why =
    misfit !== null
      ? t('vouchers.removeFirst')
      : missing > 0
        ? t('create.why.funds')
        : gross === undefined
          ? t('create.why.price')
          : undefined
  const paidHours = paidBy !== undefined || period === undefined ? 0 : hoursOfPeriod(period)
  const hours = paidHours + (paidBy?.data.add_hours ?? cost.data?.add_hours ?? 0)
  return (
    <div className={classes.summary}>
      <Card
        title={t('create.summary')}
        beside={
          plan !== undefined &&
          period !== undefined &&
          (paidBy === undefined ? `${planName(plan.id)}, ${t(`create.periods.${period}`)}` : planName(plan.id))
        }
      >
        <div className={classes.step}>
          <div className={classes.total}>
            <span>{t('create.toPay')}</span>
            {paidBy !== undefined && gross !== undefined ? (
              <strong className={classes.free}>{format.money(gross)}</strong>
            ) : cost.data ? (
              <Price
                gross={cost.data.gross_price}
                tax={cost.data.tax}
                rate={cost.data.country_tax_rate.vat_rate}
                full={cost.data.full_gross_price}
                size="large"
              />
            ) : (
              <Skeleton width={120} height={48} />
            )}
          </div>
          {(cost.isError || cost.data === null) && (
            <ErrorNote error={cost.error ?? 'no_price_for_parameters'} title={t('create.priceFailed')} />
          )}
          <VoucherField code={draft.voucher} onChange={onVoucher} refusal={misfit} />
          {trialRefusal != null && <ErrorNote error={trialRefusal} title={t('vouchers.trialFailed')} />}
          {wallet !== undefined && (
            <MethodChoice
              method={other?.method ?? 'wallet'}
              others={others}
              currency={wallet.currency}
              onChange={props.onMethod}
            />
          )}
          {other?.method === 'pay-later' && <p className={classes.muted}>{t('bills.willBeMade')}</p>}
          <KeyValueList
            rows={[
              {
                key: t('create.wallet'),
                value: wallet === undefined ? '–' : t('create.walletOption', { currency: wallet.currency }),
              },
              { key: t('create.balanceBefore'), value: wallet === undefined ? '–' : format.money(wallet.balance) },
              {
                key: t('create.balanceAfter'),
                value:
                  after === null ? (
                    '–'
                  ) : (
                    <span className={after.amount < 0 ? classes.short : undefined}>{format.money(after)}</span>
                  ),
              },
              {
                key: t('create.runsUntil'),
                value: period === undefined || now === null ? '–' : format.dateTime(now + hours * 3_600_000),
              },
            ]}
          />
          {missing > 0 && wallet !== undefined && other === undefined && (
            <div className={classes.topUp}>
              <p>{t('create.missing', { amount: format.money({ amount: missing, currency: wallet.currency }) })}</p>
              <TopUpLink
                wallet={wallet}
                missing={missing}
                from={`${path('/create')}?${writeDraft({ ...draft, wallet: wallet.id }, new URLSearchParams())}`}
              />
              <p className={classes.muted}>{t('create.topUpHint')}</p>
            </div>
          )}
          {refusal !== null &&
            (refusal.part === 'whole' ? (
              <ErrorNote error={refusal.error} title={t('create.failed')} />
            ) : (
              <p className={classes.short} role="alert">
                {t('create.failedAbove')}
              </p>
            ))}
          <Button
            type="submit"
            look={missing > 0 ? 'secondary' : 'primary'}
            size="large"
            fullWidth
            loading={isPending}
            why={why}
          >
            {gross === undefined
              ? t('create.title')
              : gross.amount === 0
                ? t('create.createFree')
                : t('create.pay', { amount: format.money(gross) })}
          </Button>
          {!isComplete && why === undefined && <p className={classes.muted}>{t('create.why.form')}</p>}
        </div>
      </Card>
    </div>
  )
}
