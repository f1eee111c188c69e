import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '@wakestone/contract/client'
import { payOutAffiliate } from '@wakestone/contract/sales/affiliates-routes'
import { api } from '#app/api/client.ts'
import { makeStale } from '#app/api/query-of.ts'
import { aboutUser, aboutWallet } from '#app/api/stale-answers.ts'
import { attemptKey, endAttempt } from '#app/features/payment/attempt-key.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import classes from './member.module.css'

/** Moves all that is available to the wallet of its currency. */
export function PayoutForm({ currency, available }: { currency: string; available: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const user = useSignedInUser()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [moved, setMoved] = useState<number>()
  const wallet = user.wallets.find((one) => one.currency === currency)
  const money = (amount: number) => format.money({ amount, currency })
  const move = async () => {
    if (wallet === undefined) return
    setBusy(true)
    setFailure(undefined)
    try {
      const body = { wallet_id: wallet.id, amount: available }
      const idempotencyKey = attemptKey({ payout: user.id, ...body }, window.sessionStorage)
      await api(payOutAffiliate, { params: { id: user.id }, body, idempotencyKey })
      endAttempt(window.sessionStorage)
      setMoved(available)
      await makeStale(queries, ...aboutUser(user.id), ...aboutWallet())
    } catch (error) {
      // A definite no ends the attempt; without an answer the same key protects the next try.
      if (error instanceof ApiError && error.status < 500) endAttempt(window.sessionStorage)
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes['form']}>
      <p className={classes['note']}>{t('affiliate.moveText')}</p>
      {moved !== undefined && <p role="status">{t('affiliate.moved', { amount: money(moved) })}</p>}
      {failure !== undefined && <ErrorNote error={failure} />}
      {available === 0 ? (
        <p className={classes['note']}>{t('affiliate.noneAvailable')}</p>
      ) : (
        <Button look="primary" loading={busy} onClick={() => void move()}>
          {t('affiliate.move')}
        </Button>
      )}
    </div>
  )
}
