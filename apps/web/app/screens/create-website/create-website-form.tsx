import { Checkbox, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '@wakestone/contract/client'
import type { PaymentMethod } from '@wakestone/contract/money/transaction'
import { websiteNameSchema } from '@wakestone/contract/sales/craftum'
import { subdomainFromName } from '@wakestone/contract/validation'
import { type BillingPeriod, hoursOfPeriod } from '@wakestone/contract/values'
import { createCraftum } from '@wakestone/contract/websites/craftums-routes'
import { api } from '#app/api/client.ts'
import { walletsQuery } from '#app/api/queries.ts'
import { makeStale } from '#app/api/query-of.ts'
import { aboutUser, aboutWallet, aboutWebsite } from '#app/api/stale-answers.ts'
import { attemptKey, endAttempt } from '#app/features/payment/attempt-key.ts'
import { BalanceAfter } from '#app/features/payment/balance-after.tsx'
import { DebtNotes, indebted } from '#app/features/payment/debt-notes.tsx'
import { MethodChoice } from '#app/features/payment/method-choice.tsx'
import { TopUpLink } from '#app/features/payment/top-up-link.tsx'
import { ToppedUpNote } from '#app/features/payment/topped-up-note.tsx'
import { useImmediateConsent } from '#app/features/payment/use-immediate-consent.ts'
import { useImmediateFault } from '#app/features/payment/use-immediate-fault.ts'
import { useImmediateHint } from '#app/features/payment/use-immediate-hint.ts'
import { usePaymentMethods } from '#app/features/payment/use-payment-methods.ts'
import { useRouteChangeAlert } from '#app/features/route-alert/route-alert.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useSite } from '#app/features/site/use-site.ts'
import { websiteCostsQuery } from '#app/features/websites/website-costs-query.ts'
import { VoucherField } from '#app/features/vouchers/voucher-field.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, useLanguage, usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Price } from '#app/ui/money.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useFirstFault } from '#app/ui/use-first-fault.ts'
import classes from './create-website.module.css'
import { useWebsiteName } from './use-website-name.ts'

/** What the website is called and where it is, for how long, and what that costs. */
export function CreateWebsiteForm() {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const path = usePath()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const user = useSignedInUser()
  const { websitesDomain } = useSite()
  const { data: wallets = [] } = useQuery(walletsQuery(user.id))
  const [name, setName] = useState('')
  const [ownSubdomain, setSubdomain] = useState<string | null>(null)
  const [isTyping, setTyping] = useState(false)
  const [left, setLeft] = useState({ name: false, subdomain: false })
  const [tries, setTries] = useState(0)
  const [walletId, setWallet] = useState<string | null>(null)
  const [wantedPeriod, setPeriod] = useState<BillingPeriod>('720h')
  const [voucher, setVoucher] = useState<string | null>(null)
  const [wantedMethod, setMethod] = useState<PaymentMethod>('wallet')
  const [now, setNow] = useState<number | null>(null)
  useEffect(() => setNow(Date.now()), [wantedPeriod])

  const subdomain = ownSubdomain ?? subdomainFromName(name)
  const answer = useWebsiteName(subdomain, isTyping)
  // Sold in zlotys first: a wallet in another currency is offered where there is a price in it.
  const wallet =
    wallets.find(({ id }) => id === walletId) ?? wallets.find(({ currency }) => currency === 'PLN') ?? wallets[0]
  const currency = wallet?.currency ?? 'PLN'
  const full = useQuery(websiteCostsQuery({ currency }))
  const discounted = useQuery({ ...websiteCostsQuery({ currency, voucher }), enabled: voucher !== null })
  const costs = voucher !== null && discounted.data !== undefined ? discounted : full
  const cost = costs.data?.find(({ period }) => period === wantedPeriod) ?? costs.data?.[0]
  const gross = cost?.gross_price
  const others = usePaymentMethods(user.id, currency)
  const other = others.find(({ method }) => method === wantedMethod)
  const funds = other?.available ?? wallet?.balance.amount ?? 0
  const missing = gross === undefined || wallet === undefined ? 0 : Math.max(0, gross.amount - funds)
  const from = path('/offers/craftum/create')
  const [isImmediate, setImmediate] = useImmediateConsent(from)

  const order = useMutation({
    mutationFn: () => {
      if (wallet === undefined || cost === undefined) throw new TypeError('incomplete')
      const body = {
        name: name.trim(),
        subdomain,
        language,
        billing_period: cost.period,
        currency,
        wallet_id: wallet.id,
        ...(other !== undefined && { payment_method: other.method }),
        ...(voucher !== null && { vouchers: [voucher] }),
        ...(isImmediate && { immediate: true }),
      }
      return api(createCraftum, { body, idempotencyKey: attemptKey(body, window.sessionStorage) })
    },
    onSuccess: async (website) => {
      endAttempt(window.sessionStorage)
      void makeStale(queries, ...aboutUser(), ...aboutWallet(), ...aboutWebsite())
      await navigate(path(`/c/${website.id}`))
    },
    onError: (error) => {
      // A definite no ends the attempt; without an answer the same key protects the next try.
      if (error instanceof ApiError && error.status < 500) endAttempt(window.sessionStorage)
    },
  })
  useRouteChangeAlert((name !== '' || ownSubdomain !== null) && !order.isSuccess)
  const immediateFault = useImmediateFault(order.error)
  const immediateHint = useImmediateHint()

  const nameFault = websiteNameSchema.safeParse(name).success ? null : t('websites.nameFault')
  const subdomainFault =
    answer === 'unknown' && !isTyping
      ? t('create.faults.subdomain')
      : answer === 'reserved'
        ? t('create.faults.reserved')
        : answer === 'taken'
          ? t('create.faults.taken')
          : null
  const isTried = tries > 0
  const isKnownTaken = answer === 'taken' || answer === 'reserved'
  const shownSubdomainFault = (left.subdomain || isTried || isKnownTaken) && subdomain !== '' && subdomainFault
  const isComplete = nameFault === null && subdomainFault === null && subdomain !== '' && cost !== undefined
  const isOwing = indebted(wallets).length > 0 && (gross?.amount ?? 0) > 0
  const misfit = voucher === null ? null : discounted.error
  const why =
    misfit !== null
      ? t('vouchers.removeFirst')
      : isOwing
        ? t('create.why.owed')
        : wallet === undefined
          ? t('create.why.wallet')
          : missing > 0
            ? t('create.why.funds')
            : gross === undefined
              ? t('create.why.price')
              : undefined

  const form = useFirstFault(tries)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTries(tries + 1)
    if (isComplete && why === undefined && !order.isPending) order.mutate()
  }
  return (
    <form ref={form} className={classes['columns']} onSubmit={submit} noValidate>
      <div className={classes['stack']}>
        <ToppedUpNote />
        <DebtNotes wallets={wallets} text={t('create.owedText')} lacking={{ wallet, missing }} from={from} />
        <Card title={t('create.nameSection')}>
          <div className={classes['stack']}>
            <TextInput
              label={t('websites.name')}
              value={name}
              maxLength={60}
              autoComplete="off"
              error={((left.name || isTried) && nameFault) || false}
              onChange={(event) => {
                setTyping(true)
                setName(event.currentTarget.value)
              }}
              onBlur={() => {
                setTyping(false)
                setLeft((old) => ({ ...old, name: true }))
              }}
            />
            <TextInput
              label={t('create.subdomain')}
              value={subdomain}
              maxLength={32}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              classNames={{ input: classes['address'] ?? '' }}
              rightSection={<span className={classes['zone']}>.{websitesDomain}</span>}
              rightSectionWidth={`calc(${websitesDomain.length + 1}ch + 24px)`}
              error={shownSubdomainFault || false}
              onChange={(event) => {
                setTyping(true)
                setSubdomain(event.currentTarget.value.toLowerCase().replaceAll(' ', '-'))
              }}
              onBlur={() => {
                setTyping(false)
                setLeft((old) => ({ ...old, subdomain: true }))
              }}
            />
            {!shownSubdomainFault && (
              <p className={classes['muted']} role="status">
                {answer === 'free'
                  ? t('create.free', { address: `${subdomain}.${websitesDomain}` })
                  : answer === 'checking'
                    ? t('create.checking')
                    : answer === 'uncheckable'
                      ? t('create.uncheckable')
                      : t('create.subdomainHint')}
              </p>
            )}
          </div>
        </Card>
        <Card title={t('create.period')}>
          <div className={classes['stack']}>
            {costs.data !== undefined && cost !== undefined && (
              <Segmented
                label={t('create.period')}
                value={cost.period}
                onChange={setPeriod}
                options={costs.data.map(({ period }) => ({ value: period, label: t(`create.periods.${period}`) }))}
              />
            )}
            {wallets.length > 1 && wallet !== undefined && (
              <div>
                <h3 className={classes['label']}>{t('create.wallet')}</h3>
                <Segmented
                  label={t('create.wallet')}
                  value={wallet.id}
                  onChange={setWallet}
                  options={wallets.map(({ id, balance }) => ({ value: id, label: format.money(balance) }))}
                />
              </div>
            )}
            <Checkbox
              label={t('withdraw.immediate')}
              description={immediateHint}
              error={immediateFault}
              checked={isImmediate}
              onChange={(event) => setImmediate(event.currentTarget.checked)}
            />
          </div>
        </Card>
      </div>
      <Card title={t('create.summary')}>
        <div className={classes['stack']}>
          <div className={classes['total']}>
            <span>{t('create.toPay')}</span>
            {cost === undefined ? (
              full.isError ? (
                <span>–</span>
              ) : (
                <Skeleton width={120} height={48} />
              )
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
          {full.isError && <ErrorNote error={full.error} title={t('create.priceFailed')} />}
          <VoucherField code={voucher} onChange={setVoucher} refusal={misfit} />
          <MethodChoice method={other?.method ?? 'wallet'} others={others} currency={currency} onChange={setMethod} />
          {other?.method === 'pay-later' && <p className={classes['muted']}>{t('bills.willBeMade')}</p>}
          <KeyValueList
            rows={[
              { key: t('create.balanceBefore'), value: wallet === undefined ? '–' : format.money(wallet.balance) },
              {
                key: t('create.balanceAfter'),
                value:
                  wallet === undefined || gross === undefined ? (
                    '–'
                  ) : (
                    <BalanceAfter
                      amount={wallet.balance.amount - (other === undefined ? gross.amount : 0)}
                      currency={wallet.currency}
                    />
                  ),
              },
              {
                key: t('create.runsUntil'),
                value:
                  cost === undefined || now === null
                    ? '–'
                    : format.dateTime(now + (hoursOfPeriod(cost.period) + cost.add_hours) * 3_600_000),
              },
            ]}
          />
          {!isOwing && missing > 0 && wallet !== undefined && other === undefined && (
            <TopUpLink wallet={wallet} missing={missing} from={from} fullWidth />
          )}
          {order.error !== null && <ErrorNote error={order.error} title={t('websites.createFailed')} />}
          <Button
            type="submit"
            look={missing > 0 || isOwing ? 'secondary' : 'primary'}
            size="large"
            fullWidth
            loading={order.isPending}
            why={why}
          >
            {gross === undefined ? t('websites.createTitle') : t('create.pay', { amount: format.money(gross) })}
          </Button>
          {isTried && !isComplete && why === undefined && (
            <p className={classes['fault']} role="alert">
              {t('create.why.form')}
            </p>
          )}
        </div>
      </Card>
    </form>
  )
}
