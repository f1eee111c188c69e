import { hoursOfPeriod } from '@wakestone/contract/primitives'
import type { PaymentMethod } from '@wakestone/contract/money/transaction'
import type { ShownVoucher } from '@wakestone/contract/sales/voucher'
import { freeRenewalDays } from '@wakestone/contract/sales/service'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { BalanceAfter } from '#app/features/payment/balance-after.tsx'
import { MethodChoice } from '#app/features/payment/method-choice.tsx'
import { TopUpLink } from '#app/features/payment/top-up-link.tsx'
import type { OtherMethod } from '#app/features/payment/use-payment-methods.ts'
import { availabilityQuery } from '#app/features/servers/free-play/free-play-queries.ts'
import { planName } from '#app/features/servers/server-names.ts'
import { VoucherField } from '#app/features/vouchers/voucher-field.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Price } from '#app/ui/money.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { PartError } from './create-form.tsx'
import classes from './create.module.css'
import type { Choice, Draft } from './draft.ts'
import type { OrderPrice } from './use-price.ts'

type Props = {
  choice: Choice
  draft: Draft
  price: OrderPrice
  /** Something is owed, and this costs something. */
  isRefusedToDebtor: boolean
  /** Where a top-up comes back to. */
  from: string
  /** A voucher that pays for the whole server. */
  paidBy: ShownVoucher | undefined
  trialRefusal: unknown
  onVoucher: (code: string | null) => void
  /** Ways to pay beside the wallet, and the one that was chosen instead of it. */
  others: readonly OtherMethod[]
  other: OtherMethod | undefined
  onMethod: (method: PaymentMethod) => void
  isPending: boolean
  /** It was sent with something missing or wrong. */
  isRefused: boolean
  refusal: PartError
}

/** How long a free server runs, and how it goes on. */
function FreeRules() {
  const { t } = useTranslation()
  const format = useFormat()
  const { data } = useQuery(availabilityQuery())
  return (
    <p className={classes.muted}>
      {data !== undefined &&
        `${t('freePlay.runs', { day: format.duration(data.rules.day), session: format.duration(data.rules.session) })} `}
      {t('create.freeRenews', { count: freeRenewalDays })}
    </p>
  )
}

/** Before the purchase: what is charged, from which wallet, what is left, until when it runs. */
export function Summary(props: Props) {
  const { choice, draft, paidBy, trialRefusal, onVoucher, isPending, isRefused, refusal, isRefusedToDebtor } = props
  const { cost, failure, misfit, gross, missing } = props.price
  const { t } = useTranslation()
  const format = useFormat()
  const [now, setNow] = useState<number | null>(null)
  // The browser's clock, after hydration: the server's page may be a moment older.
  useEffect(() => setNow(Date.now()), [choice.period])
  const { plan, isFree, period, wallet } = choice
  const { others, other } = props
  const refused = useRef<HTMLDivElement>(null)
  // The button may be in sight without it.
  useEffect(() => {
    // Braces: in newer browsers this returns a promise, which React would take for a clean-up function.
    refused.current?.scrollIntoView({ block: 'nearest' })
  }, [refusal?.error])
  const after =
    gross === undefined || wallet === undefined
      ? null
      : { amount: wallet.balance.amount - (other === undefined ? gross.amount : 0), currency: wallet.currency }
  const why =
    misfit !== null
      ? t('vouchers.removeFirst')
      : isRefusedToDebtor
        ? t('create.why.owed')
        : missing > 0
          ? t('create.why.funds')
          : gross === undefined
            ? t('create.why.price')
            : undefined
  const canTopUp = !isRefusedToDebtor && missing > 0 && wallet !== undefined && other === undefined
  const paidHours = paidBy !== undefined || period === undefined ? 0 : hoursOfPeriod(period)
  const hours = paidHours + (paidBy?.data.add_hours ?? cost?.add_hours ?? 0)
  const price =
    gross === undefined
      ? null
      : isFree && plan !== undefined
        ? planName(plan.id)
        : period !== undefined && paidBy === undefined
          ? t('create.priceFor', { amount: format.money(gross), period: t(`create.periods.${period}`) })
          : format.money(gross)
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
            ) : cost ? (
              <Price
                gross={cost.gross_price}
                tax={cost.tax}
                rate={cost.country_tax_rate.vat_rate}
                full={cost.full_gross_price}
                size="large"
              />
            ) : (
              <Skeleton width={120} height={48} />
            )}
          </div>
          {(failure !== null || cost === null) && (
            <ErrorNote error={failure ?? 'no_price_for_parameters'} title={t('create.priceFailed')} />
          )}
          <VoucherField code={draft.voucher} onChange={onVoucher} refusal={misfit} />
          {trialRefusal != null && <ErrorNote error={trialRefusal} title={t('vouchers.trialFailed')} />}
          {wallet !== undefined && !isFree && paidBy === undefined && (
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
              ...(isFree || paidBy !== undefined
                ? []
                : [
                    {
                      key: t('create.wallet'),
                      value: wallet === undefined ? '–' : t('create.walletOption', { currency: wallet.currency }),
                    },
                    {
                      key: t('create.balanceBefore'),
                      value: wallet === undefined ? '–' : format.money(wallet.balance),
                    },
                    { key: t('create.balanceAfter'), value: after === null ? '–' : <BalanceAfter {...after} /> },
                  ]),
              {
                key: t('create.runsUntil'),
                value: period === undefined || now === null ? '–' : format.dateTime(now + hours * 3_600_000),
              },
            ]}
          />
          {isFree && <FreeRules />}
          {isRefusedToDebtor && <p className={classes.short}>{t('create.why.owed')}</p>}
          {canTopUp && (
            <div className={classes.topUp}>
              <p>{t('create.missing', { amount: format.money({ amount: missing, currency: wallet.currency }) })}</p>
              <TopUpLink wallet={wallet} missing={missing} from={props.from} fullWidth />
              <p className={classes.muted}>{t('create.topUpHint')}</p>
            </div>
          )}
          {refusal !== null &&
            (refusal.part === 'whole' ? (
              <div ref={refused}>
                <ErrorNote error={refusal.error} title={t('create.failed')} />
              </div>
            ) : (
              <p className={classes.short} role="alert">
                {t('create.failedAbove')}
              </p>
            ))}
        </div>
      </Card>
      <div className={classes.order} data-short={canTopUp || undefined}>
        <span className={classes.orderPrice}>
          {price}
          {missing > 0 && <small aria-hidden="true">{t('create.why.funds')}</small>}
        </span>
        {canTopUp && (
          <div className={classes.orderTopUp}>
            <TopUpLink wallet={wallet} missing={missing} from={props.from} fullWidth />
          </div>
        )}
        <Button
          type="submit"
          look={missing > 0 || isRefusedToDebtor ? 'secondary' : 'primary'}
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
        {isRefused && why === undefined && (
          <p className={classes.short} role="alert">
            {t('create.why.form')}
          </p>
        )}
      </div>
    </div>
  )
}
