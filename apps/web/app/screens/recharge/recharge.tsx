import { TextInput } from '@mantine/core'
import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useNavigate, useSearchParams } from 'react-router'
import { createTransaction, sendTransactionCode } from '@wakestone/contract/routes/transactions'
import { type ProviderId, providerIds, transactionLimits } from '@wakestone/contract/transaction'
import type { Wallet } from '@wakestone/contract/wallet'
import { api } from '#app/api/client.ts'
import { prefetch } from '#app/api/prefetch.ts'
import { providersQuery, walletQuery, walletsQuery } from '#app/api/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { BlikCodeInput, isWholeCode } from '#app/features/payment/blik-code-input.tsx'
import { rememberReturn } from '#app/features/payment/return-address.ts'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { currencyDigits } from '#app/i18n/format.ts'
import { useFormat, useLanguage, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { errorBodyOf, useErrorText } from '#app/ui/error-text.ts'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/recharge'
import { AmountChoice } from './amount-choice.tsx'
import { parseAmount } from '#app/features/wallets/parse-amount.ts'
import classes from './recharge.module.css'

export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireUser(request, context)
  const { api: client } = context.get(webContext)
  return { queries: await prefetch(walletQuery(params.walletId, client), providersQuery(client)) }
}

export default function Recharge({ loaderData, params }: Route.ComponentProps) {
  const { t } = useTranslation()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="recharge" />
      <PageHeader title={t('recharge.title')} />
      <RechargePage key={params.walletId} walletId={params.walletId} />
    </HydrationBoundary>
  )
}

function RechargePage({ walletId }: { walletId: string }) {
  const wallet = useQuery(walletQuery(walletId))
  const providers = useQuery(providersQuery())
  const error = wallet.error ?? providers.error
  if (wallet.data !== undefined && providers.data !== undefined) {
    const currency = wallet.data.currency
    const methods = providers.data
      .filter(
        (provider) => provider.id !== 'wallet' && provider.currencies.some((entry) => entry.currency === currency),
      )
      .map((provider) => provider.id)
    return (
      <div className={classes['columns']}>
        <RechargeForm
          wallet={wallet.data}
          methods={providerIds.filter((id) => methods.includes(id))}
          takesCode={(id) => providers.data.some((provider) => provider.id === id && provider.takes_code)}
          limitsOf={(id) =>
            providers.data
              .find((provider) => provider.id === id)
              ?.currencies.find((entry) => entry.currency === currency)
          }
        />
      </div>
    )
  }
  if (error !== null)
    return <ErrorState error={error} onRetry={() => void Promise.all([wallet.refetch(), providers.refetch()])} />
  return (
    <Card>
      <SkeletonText lines={6} />
    </Card>
  )
}

const described = ['payu', 'paynow', 'blik'] as const
const isDescribed = (id: ProviderId): id is (typeof described)[number] => described.some((known) => known === id)

type Limits = { minimum: number; maximum: number }

function RechargeForm({
  wallet,
  methods,
  takesCode,
  limitsOf,
}: {
  wallet: Wallet
  methods: readonly ProviderId[]
  takesCode: (id: ProviderId) => boolean
  limitsOf: (id: ProviderId) => Limits | undefined
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const path = usePath()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const user = useSignedInUser()
  const { data: wallets = [wallet] } = useQuery(walletsQuery(user.id))
  const methodName = useId()
  const [method, setMethod] = useState<ProviderId | undefined>(methods[0])
  const [typed, setTyped] = useState(search.get('amount') ?? '50')
  const [touched, setTouched] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  // One key per thing that is meant: a second click, or a retry after a lost answer, makes no second payment.
  const [attempt, setAttempt] = useState(() => ({ of: '', key: '' }))
  const [code, setCode] = useState('')
  const [codeElsewhere, setCodeElsewhere] = useState(false)
  // A top-up whose code was no good: the next code goes on with it.
  const [waiting, setWaiting] = useState({ of: '', id: '' })
  const isByCode = method !== undefined && takesCode(method) && !codeElsewhere
  const codeFailure = errorBodyOf(failure)?.error.startsWith('blik_code_') === true
  const failureText = useErrorText(failure).text

  const { currency } = wallet
  const digits = currencyDigits(currency)
  const money = (amount: number) => format.money({ amount, currency })
  const limits = (method && limitsOf(method)) ?? transactionLimits(method ?? 'payu', currency)
  const amount = parseAmount(typed, digits)
  const wrong =
    amount === null
      ? t('fields.amount')
      : amount < limits.minimum
        ? t('recharge.tooLow', { minimum: money(limits.minimum) })
        : amount > limits.maximum
          ? t('recharge.tooHigh', { maximum: money(limits.maximum) })
          : undefined
  const isPaynow = method === 'paynow' || method === 'blik'
  const providerName = method === undefined ? '' : t(`wallet.providers.${method}`)

  const pay = async () => {
    const isReady = amount !== null && wrong === undefined && (!isByCode || isWholeCode(code))
    if (!isReady || method === undefined) return setTouched(true)
    setBusy(true)
    setFailure(undefined)
    const about = `${wallet.id} ${method} ${amount}`
    const of = isByCode ? `${about} ${code}` : about
    const current = attempt.of === of ? attempt : { of, key: crypto.randomUUID() }
    setAttempt(current)
    const begin = () =>
      api(createTransaction, {
        body: {
          action: 'DEPOSIT',
          provider: method,
          wallet_id: wallet.id,
          amount,
          currency,
          language,
          ...(isByCode ? { code } : {}),
        },
        idempotencyKey: current.key,
      })
    try {
      const transaction =
        isByCode && waiting.of === about
          ? await api(sendTransactionCode, { params: { id: waiting.id }, body: { code } })
          : await begin()
      rememberReturn(transaction.id, search.get('from'))
      if (transaction.redirect_url !== null) location.assign(transaction.redirect_url)
      else void navigate(path(`/${isPaynow ? 'paynow' : 'payu'}/continue?transaction=${transaction.id}`))
    } catch (error) {
      setFailure(error)
      const id = errorBodyOf(error)?.fields?.['transaction_id']
      if (typeof id === 'string') {
        setWaiting({ of: about, id })
        setCode('')
      }
      setBusy(false)
    }
  }

  return (
    <>
      <form
        className={classes['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void pay()
        }}
      >
        <Card title={t('recharge.wallet')}>
          <Segmented
            label={t('recharge.wallet')}
            value={wallet.id}
            options={wallets.map((other) => ({ value: other.id, label: other.currency }))}
            onChange={(id) => void navigate(path(`/wallets/${id}/recharge?${search}`), { replace: true })}
          />
        </Card>
        {method === undefined ? (
          <Card>
            <EmptyState title={t('recharge.noMethod', { currency })} text={t('recharge.noMethodText')} />
          </Card>
        ) : (
          <>
            <Card title={t('recharge.amount')}>
              <AmountChoice
                currency={currency}
                digits={digits}
                amount={amount}
                limits={limits}
                onChoose={(next) => setTyped(next)}
              />
              <TextInput
                className={classes['own'] ?? ''}
                name="amount"
                label={t('recharge.own')}
                description={t('recharge.ownHint', { minimum: money(limits.minimum), maximum: money(limits.maximum) })}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                inputMode="decimal"
                autoComplete="off"
                rightSection={<span className={classes['currency']}>{currency}</span>}
                rightSectionWidth={56}
                value={typed}
                error={touched ? wrong : undefined}
                onChange={(event) => setTyped(event.currentTarget.value)}
                onBlur={() => setTouched(true)}
              />
            </Card>
            <Card title={t('recharge.method')}>
              <div className={classes['methods']} role="radiogroup" aria-label={t('recharge.method')}>
                {methods.map((id) => (
                  <label key={id} className={classes['method']}>
                    <input type="radio" name={methodName} checked={id === method} onChange={() => setMethod(id)} />
                    <span>{isDescribed(id) ? t(`recharge.${id}`) : t(`wallet.providers.${id}`)}</span>
                  </label>
                ))}
              </div>
              {isByCode && (
                <div className={classes['own']}>
                  <BlikCodeInput
                    value={code}
                    error={
                      codeFailure && code === ''
                        ? failureText
                        : touched && !isWholeCode(code)
                          ? t('fields.blikCode')
                          : undefined
                    }
                    onChange={setCode}
                  />
                </div>
              )}
              {method !== undefined && takesCode(method) && (
                <p className={classes['note']}>
                  <button type="button" className={classes['link']} onClick={() => setCodeElsewhere(!codeElsewhere)}>
                    {codeElsewhere ? t('recharge.blikHere') : t('recharge.blikElsewhere')}
                  </button>
                </p>
              )}
            </Card>
          </>
        )}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
      {method !== undefined && (
        <aside className={classes['summary']}>
          <Card>
            <KeyValueList
              rows={[
                { key: t('recharge.now'), value: money(wallet.balance.amount) },
                { key: t('recharge.plus'), value: amount === null ? '–' : money(amount) },
                {
                  key: t('recharge.after'),
                  value: amount === null || wrong !== undefined ? '–' : money(wallet.balance.amount + amount),
                },
              ]}
            />
            <p className={classes['note']}>{t('recharge.noFee')}</p>
            {failure !== undefined && !codeFailure && <ErrorNote error={failure} />}
            <div className={classes['pay']}>
              <Button
                look="primary"
                size="large"
                fullWidth
                loading={busy}
                why={wrong ?? (isByCode && !isWholeCode(code) ? t('fields.blikCode') : undefined)}
                onClick={() => void pay()}
                data-testid="pay"
              >
                {amount === null || wrong !== undefined
                  ? t('wallet.topUp')
                  : t('recharge.pay', { amount: money(amount) })}
              </Button>
            </div>
            <p className={classes['note']} aria-live="polite">
              {busy && !isByCode
                ? t('recharge.leaving', { provider: providerName })
                : isByCode
                  ? t('recharge.confirm')
                  : t('recharge.redirect', { provider: providerName })}
            </p>
          </Card>
        </aside>
      )}
    </>
  )
}
