import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ProviderId, transactionLimits } from '@wakestone/contract/money/transaction'
import type { Wallet } from '@wakestone/contract/money/wallet'
import { useNavigate, useSearchParams } from 'react-router'
import { walletsQuery } from '#app/api/queries.ts'
import { BlikCodeInput, isWholeCode, missingDigits } from '#app/features/payment/blik-code-input.tsx'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { AmountInput } from '#app/features/wallets/amount-input.tsx'
import { OwedNote } from '#app/features/wallets/owed-note.tsx'
import { parseAmount } from '#app/features/wallets/parse-amount.ts'
import { currencyDigits } from '#app/i18n/format.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { useErrorText } from '#app/ui/error-text.ts'
import { Segmented } from '#app/ui/segmented.tsx'
import { useFirstFault } from '#app/ui/use-first-fault.ts'
import { AmountChoice } from './amount-choice.tsx'
import { MethodCard } from './method-card.tsx'
import classes from './recharge.module.css'
import { Summary } from './summary.tsx'
import { useTopUp } from './use-top-up.ts'

type Limits = { minimum: number; maximum: number }

/** What is typed is also in the address: whoever comes back from the provider's page finds the amount they chose. */
function useTypedAmount(first: string): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(first)
  const change = (next: string) => {
    setTyped(next)
    const search = new URLSearchParams(window.location.search)
    search.set('amount', next)
    // Not a navigation: nothing is loaded, and every letter would be a step of the history.
    window.history.replaceState(window.history.state, '', `${window.location.pathname}?${search}`)
  }
  return [typed, change]
}

/** How much, by which method, and what becomes of the wallet. */
export function RechargeForm({
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
  const path = usePath()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const user = useSignedInUser()
  const { data: wallets = [wallet] } = useQuery(walletsQuery(user.id))
  const [method, setMethod] = useState<ProviderId | undefined>(
    methods.find((id) => id === search.get('method')) ?? methods[0],
  )
  const [typed, setTyped] = useTypedAmount(search.get('amount') ?? '50')
  const [touched, setTouched] = useState(false)
  /** How often it was sent with something wrong. */
  const [refusals, setRefusals] = useState(0)
  const [code, setCode] = useState('')
  const [codeElsewhere, setCodeElsewhere] = useState(false)
  const isByCode = method !== undefined && takesCode(method) && !codeElsewhere
  const topUp = useTopUp(wallet, { from: search.get('from'), onCodeRefused: () => setCode('') })
  const failureText = useErrorText(topUp.failure).text

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

  const codeFault =
    topUp.isCodeRefused && code === ''
      ? failureText
      : refusals > 0 && !isWholeCode(code)
        ? t('payment.blik.missing', { count: missingDigits(code) })
        : undefined

  const form = useFirstFault(refusals)

  const pay = () => {
    const isReady = amount !== null && wrong === undefined && (!isByCode || isWholeCode(code))
    if (!isReady || method === undefined) {
      setTouched(true)
      return setRefusals(refusals + 1)
    }
    void topUp.pay({ method, amount, code: isByCode ? code : null })
  }

  return (
    <>
      <form
        ref={form}
        className={classes['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          pay()
        }}
      >
        <OwedNote owed={wallet.owed} text={t('recharge.owedText')} />
        <Card title={t('recharge.wallet')}>
          <Segmented
            label={t('recharge.wallet')}
            value={wallet.id}
            options={wallets.map((other) => ({ value: other.id, label: other.currency }))}
            onChange={(id) =>
              void navigate(path(`/wallets/${id}/recharge${window.location.search}`), { replace: true })
            }
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
              <AmountInput
                currency={currency}
                className={classes['own'] ?? ''}
                name="amount"
                label={t('recharge.own')}
                description={t('recharge.ownHint', { minimum: money(limits.minimum), maximum: money(limits.maximum) })}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                value={typed}
                error={touched ? wrong : undefined}
                onChange={(event) => setTyped(event.currentTarget.value)}
                onBlur={() => setTouched(true)}
              />
            </Card>
            <MethodCard methods={methods} method={method} onChoose={setMethod}>
              {isByCode && (
                <div className={classes['own']}>
                  <BlikCodeInput value={code} error={codeFault} onChange={setCode} />
                </div>
              )}
              {takesCode(method) && (
                <p className={classes['note']}>
                  <button type="button" className={classes['link']} onClick={() => setCodeElsewhere(!codeElsewhere)}>
                    {codeElsewhere ? t('recharge.blikHere') : t('recharge.blikElsewhere')}
                  </button>
                </p>
              )}
            </MethodCard>
          </>
        )}
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </form>
      {method !== undefined && (
        <Summary
          wallet={wallet}
          amount={wrong === undefined ? amount : null}
          method={method}
          isByCode={isByCode}
          isBusy={topUp.isBusy}
          failure={topUp.isCodeRefused ? undefined : topUp.failure}
          onPay={pay}
        />
      )}
    </>
  )
}
