import { Checkbox } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '@wakestone/contract/client'
import { type BillingPeriod, hoursOfPeriod } from '@wakestone/contract/primitives'
import { renewService } from '@wakestone/contract/sales/billings-routes'
import type { RenewServiceBody, Service } from '@wakestone/contract/sales/service'
import type { PaymentMethod } from '@wakestone/contract/money/transaction'
import { useSearchParams } from 'react-router'
import { api } from '#app/api/client.ts'
import { walletsQuery } from '#app/api/queries.ts'
import { attemptKey, endAttempt } from '#app/features/payment/attempt-key.ts'
import { BalanceAfter } from '#app/features/payment/balance-after.tsx'
import { MethodChoice } from '#app/features/payment/method-choice.tsx'
import { TopUpLink } from '#app/features/payment/top-up-link.tsx'
import { ToppedUpNote } from '#app/features/payment/topped-up-note.tsx'
import { useImmediateConsent } from '#app/features/payment/use-immediate-consent.ts'
import { useImmediateFault } from '#app/features/payment/use-immediate-fault.ts'
import { useImmediateHint } from '#app/features/payment/use-immediate-hint.ts'
import { usePaymentMethods } from '#app/features/payment/use-payment-methods.ts'
import { CostLines } from '#app/features/servers/cost-lines.tsx'
import { savingsOf, usePeriodLabel } from '#app/features/servers/period-savings.ts'
import { currencyOf, renewalCostsQuery } from '#app/features/servers/service-queries.ts'
import { VoucherField } from '#app/features/vouchers/voucher-field.tsx'
import { OwedNote } from '#app/features/wallets/owed-note.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Price } from '#app/ui/money.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import classes from './renew.module.css'
import { useRenewed } from './use-renewed.ts'

type RenewFormProps = {
  service: Service
  /** Address of the page that it stands on: where a top-up comes back to. */
  page: string
  /** Where one goes when it is done. */
  back: { to: string; label: string }
}

/** For how long, from which wallet; what is charged, what is left, until when it then runs. */
export function RenewForm({ service, page, back }: RenewFormProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const takeOver = useRenewed()
  const [search, setSearch] = useSearchParams()
  const { data: wallets = [], error: walletsError, refetch } = useQuery(walletsQuery(service.owner))
  const wallet = wallets.find(({ id }) => id === (search.get('wallet') ?? service.wallet_id))
  const currency = wallet?.currency ?? currencyOf(service)
  const voucher = search.get('voucher')
  const full = useQuery(renewalCostsQuery(service.service_id, { currency }))
  const discounted = useQuery({
    ...renewalCostsQuery(service.service_id, { currency, voucher }),
    enabled: voucher !== null,
  })
  const costs = voucher !== null && discounted.data !== undefined ? discounted : full
  const period = (search.get('period') ?? service.billing_period) as BillingPeriod
  const cost = costs.data?.find((one) => one.period === period) ?? costs.data?.[0]
  const from = `${page}${search.size === 0 ? '' : `?${search}`}`
  const [isImmediate, setImmediate] = useImmediateConsent(from)
  const [now, setNow] = useState<number | null>(null)
  const others = usePaymentMethods(service.owner, currency)
  const [wanted, setWanted] = useState<PaymentMethod>('wallet')
  const other = others.find(({ method }) => method === wanted)
  const method = other?.method ?? 'wallet'
  useEffect(() => setNow(Date.now()), [service.expires])

  const savings = savingsOf(full.data?.map((one) => ({ period: one.period, amount: one.gross_price.amount })) ?? [])
  const labelOf = usePeriodLabel()
  const choose = (name: 'period' | 'wallet' | 'voucher', value: string | null) =>
    setSearch(
      (old) =>
        new URLSearchParams([...[...old].filter(([key]) => key !== name), ...(value === null ? [] : [[name, value]])]),
      {
        replace: true,
        preventScrollReset: true,
      },
    )
  const renew = useMutation({
    mutationFn: (body: RenewServiceBody) => {
      const order = { service: service.service_id, ...body }
      const idempotencyKey = attemptKey(order, window.sessionStorage)
      return api(renewService, { params: { id: service.service_id }, body, idempotencyKey })
    },
    onSuccess: async (renewed) => {
      endAttempt(window.sessionStorage)
      // The next renewal is another contract: it is asked about anew.
      setImmediate(false)
      if (voucher !== null) choose('voucher', null)
      await takeOver(renewed)
    },
    onError: (error) => {
      // A definite no ends the attempt; without an answer the same key protects the next try.
      if (error instanceof ApiError && error.status < 500) endAttempt(window.sessionStorage)
    },
  })

  const immediateFault = useImmediateFault(renew.error)
  const immediateHint = useImmediateHint(service.expires)
  const gross = cost?.gross_price
  const funds = other?.available ?? wallet?.balance.amount ?? 0
  const missing = gross === undefined || wallet === undefined ? 0 : Math.max(0, gross.amount - funds)
  const end =
    cost === undefined || now === null || service.expires === null
      ? undefined
      : Math.max(now, new Date(service.expires).getTime()) + (hoursOfPeriod(cost.period) + cost.add_hours) * 3_600_000
  // Of a coupon that is for another plan or period this price knows nothing.
  const isCheaper = cost !== undefined && (cost.full_gross_price !== null || cost.add_hours > 0)
  const misfit = voucher === null ? null : discounted.error
  const bound = service.renewal_currency
  const isOther = wallet !== undefined && bound !== null && wallet.currency !== bound
  const otherCurrency = isOther ? t('renew.otherCurrency', { currency: bound }) : undefined
  const why =
    misfit !== null
      ? t('vouchers.removeFirst')
      : (otherCurrency ??
        (missing > 0
          ? t('create.why.funds')
          : gross === undefined
            ? t('create.why.price')
            : wallet === undefined
              ? t('create.why.wallet')
              : undefined))
  if (renew.data?.expires != null)
    return (
      <Card title={t('renew.title')}>
        <div className={classes['step']}>
          <p role="status" className={classes['done']}>
            {t('renew.done', { date: format.dateTime(renew.data.expires) })}
          </p>
          <div className={classes['ways']}>
            <LinkButton look="primary" to={back.to}>
              {back.label}
            </LinkButton>
            <Button onClick={() => renew.reset()}>{t('renew.again')}</Button>
          </div>
        </div>
      </Card>
    )
  return (
    <Card title={t('renew.another')}>
      <div className={classes['step']}>
        <ToppedUpNote />
        {costs.data !== undefined && cost !== undefined && (
          <Segmented
            even
            label={t('create.period')}
            value={cost.period}
            onChange={(value) => choose('period', value)}
            options={costs.data.map(({ period: value }) => ({
              value,
              label: labelOf(value, savings.find((one) => one.period === value)?.saving ?? 0),
            }))}
          />
        )}
        {wallet === undefined && walletsError !== null && (
          <ErrorState error={walletsError} onRetry={() => void refetch()} />
        )}
        {wallets.length > 1 && wallet !== undefined && (
          <div>
            <h3 className={classes['label']}>{t('create.wallet')}</h3>
            <Segmented
              label={t('create.wallet')}
              value={wallet.id}
              onChange={(value) => choose('wallet', value)}
              options={wallets.map(({ id, balance }) => ({ value: id, label: format.money(balance) }))}
            />
          </div>
        )}
        <MethodChoice method={method} others={others} currency={currency} onChange={setWanted} />
        <div className={classes['total']}>
          <span>{t('create.toPay')}</span>
          {cost === undefined ? (
            <Skeleton width={120} height={48} />
          ) : (
            <Price
              gross={cost.gross_price}
              tax={cost.tax}
              rate={cost.country_tax_rate.vat_rate}
              full={cost.full_gross_price}
              size="large"
            />
          )}
        </div>
        {cost !== undefined && <CostLines cost={cost} />}
        {isCheaper &&
          service.coupons.map((coupon) => (
            <p key={coupon.id} className={classes['muted']}>
              {t('vouchers.couponWaits', { name: coupon.name })}
            </p>
          ))}
        <VoucherField code={voucher} onChange={(code) => choose('voucher', code)} refusal={misfit} />
        {costs.error !== null && <ErrorNote error={costs.error} title={t('create.priceFailed')} />}
        <KeyValueList
          rows={[
            { key: t('renew.runsUntil'), value: service.expires === null ? '–' : format.dateTime(service.expires) },
            { key: t('renew.then'), value: end === undefined ? '–' : format.dateTime(end) },
            { key: t('create.balanceBefore'), value: wallet === undefined ? '–' : format.money(wallet.balance) },
            {
              key: t('create.balanceAfter'),
              value:
                wallet === undefined || gross === undefined ? (
                  '–'
                ) : (
                  <BalanceAfter
                    amount={wallet.balance.amount - (method === 'wallet' ? gross.amount : 0)}
                    currency={wallet.currency}
                  />
                ),
            },
          ]}
        />
        {method === 'pay-later' && <p className={classes['muted']}>{t('bills.willBeMade')}</p>}
        {wallet !== undefined && method === 'wallet' && <OwedNote owed={wallet.owed} text={t('renew.owedText')} />}
        {otherCurrency !== undefined && <p className={classes['muted']}>{otherCurrency}</p>}
        {otherCurrency === undefined && missing > 0 && wallet !== undefined && method === 'wallet' && (
          <TopUpLink wallet={wallet} missing={missing} from={from} fullWidth />
        )}
        {renew.error !== null && immediateFault === undefined && (
          <ErrorNote error={renew.error} title={t('renew.failed')} />
        )}
        {cost !== undefined && (
          <Checkbox
            label={t('withdraw.immediateRenewal')}
            description={immediateHint}
            error={immediateFault}
            checked={isImmediate}
            onChange={(event) => setImmediate(event.currentTarget.checked)}
          />
        )}
        <Button
          look={missing > 0 ? 'secondary' : 'primary'}
          size="large"
          fullWidth
          loading={renew.isPending}
          why={why}
          onClick={() =>
            cost !== undefined &&
            wallet !== undefined &&
            renew.mutate({
              billing_period: cost.period,
              wallet_id: wallet.id,
              ...(method !== 'wallet' && { payment_method: method }),
              ...(voucher !== null && { vouchers: [voucher] }),
              ...(isImmediate && { immediate: true }),
            })
          }
        >
          {gross === undefined ? t('renew.title') : t('renew.pay', { amount: format.money(gross) })}
        </Button>
      </div>
    </Card>
  )
}
