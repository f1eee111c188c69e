import { useEffect, useState } from 'react'
import { createTransaction, sendTransactionCode } from '@wakestone/contract/money/transactions-routes'
import type { ProviderId } from '@wakestone/contract/money/transaction'
import type { Wallet } from '@wakestone/contract/money/wallet'
import { useNavigate } from 'react-router'
import { randomId } from '#app/api/random-id.ts'
import { api } from '#app/api/client.ts'
import { rememberReturn } from '#app/features/payment/return-address.ts'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { errorBodyOf } from '#app/ui/error-text.ts'

export type TopUp = {
  method: ProviderId
  /** Minor units. */
  amount: number
  /** Typed here for a payment by code; null: the payer goes to the provider's page. */
  code: string | null
}

/** Begins a top-up, or goes on with one whose code was no good, and sends the payer on. */
export function useTopUp(wallet: Wallet, { from, onCodeRefused }: { from: string | null; onCodeRefused: () => void }) {
  const language = useLanguage()
  const path = usePath()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  // One key per thing that is meant: a second click, or a retry after a lost answer, makes no second payment.
  const [attempt, setAttempt] = useState(() => ({ of: '', key: '' }))
  // A top-up whose code was no good: the next code goes on with it.
  const [waiting, setWaiting] = useState({ of: '', id: '' })

  useEffect(() => {
    // Who goes back from the provider's page may be shown this one as they left it.
    const wake = ({ persisted }: PageTransitionEvent) => {
      if (persisted) setBusy(false)
    }
    window.addEventListener('pageshow', wake)
    return () => window.removeEventListener('pageshow', wake)
  }, [])

  const pay = async ({ method, amount, code }: TopUp) => {
    if (isBusy) return
    setBusy(true)
    setFailure(undefined)
    const about = `${wallet.id} ${method} ${amount}`
    const of = code === null ? about : `${about} ${code}`
    const current = attempt.of === of ? attempt : { of, key: randomId() }
    setAttempt(current)
    const begin = () =>
      api(createTransaction, {
        body: {
          action: 'DEPOSIT',
          provider: method,
          wallet_id: wallet.id,
          amount,
          currency: wallet.currency,
          language,
          ...(code === null ? {} : { code }),
        },
        idempotencyKey: current.key,
      })
    try {
      const transaction =
        code !== null && waiting.of === about
          ? await api(sendTransactionCode, { params: { id: waiting.id }, body: { code } })
          : await begin()
      rememberReturn(transaction.id, from)
      const page = method === 'paynow' || method === 'blik' ? 'paynow' : 'payu'
      if (transaction.redirect_url !== null) location.assign(transaction.redirect_url)
      else void navigate(path(`/${page}/continue?transaction=${transaction.id}`))
    } catch (error) {
      setFailure(error)
      const id = errorBodyOf(error)?.fields?.['transaction_id']
      if (typeof id === 'string') {
        setWaiting({ of: about, id })
        onCodeRefused()
      }
      setBusy(false)
    }
  }
  const isCodeRefused = errorBodyOf(failure)?.error.startsWith('blik_code_') === true
  return { isBusy, failure, isCodeRefused, pay }
}
