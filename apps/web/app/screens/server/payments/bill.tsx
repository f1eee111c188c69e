import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Wallet } from '@wakestone/contract/money/wallet'
import { walletsQuery } from '#app/api/queries.ts'
import { BalanceAfter } from '#app/features/payment/balance-after.tsx'
import { DebtNotes, indebted } from '#app/features/payment/debt-notes.tsx'
import { TopUpLink } from '#app/features/payment/top-up-link.tsx'
import { useImmediateFault } from '#app/features/payment/use-immediate-fault.ts'
import { useImmediateHint } from '#app/features/payment/use-immediate-hint.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { Price, taxWithin } from '#app/ui/money.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import { useConfirming } from '#app/ui/use-confirming.ts'
import classes from './payments.module.css'

export type Bill = {
  /** Identifies the bill; consent is given to this one alone. */
  key: string
  title: string
  text: ReactNode
  /** Gross: what is paid from the wallet; minus comes back to it. */
  amount: { amount: number; currency: string }
  /** Until when it runs then; null: its end stays, or there is none. */
  until: string | null
  /** What the button does; the price is added where one is paid. */
  confirm: string
  /** What was asked for, once it is certain. */
  run: (walletId: string, isImmediate: boolean) => Promise<unknown>
}

/** The state of paying a bill: which wallet, what stands in the way, and the error if it failed. */
export function usePaying({
  bill,
  owner,
  consent,
  onClose,
}: {
  bill: Bill | null
  owner: string
  /** Kept by the caller where it has to survive a top-up. */
  consent?: readonly [isAgreed: boolean, agree: (isAgreed: boolean) => void]
  onClose: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const wallets = useQuery(walletsQuery(owner))
  // Consent is given to one bill: another one is asked about anew.
  const [agreedTo, setAgreedTo] = useState<string | null>(null)
  const [isImmediate, agree] = consent ?? [
    bill !== null && agreedTo === bill.key,
    (isAgreed: boolean) => setAgreedTo(isAgreed && bill !== null ? bill.key : null),
  ]
  const wallet = wallets.data?.find(({ currency }) => currency === bill?.amount.currency)
  const { isBusy, error, close, confirm } = useConfirming(async () => {
    if (bill !== null && wallet !== undefined) await bill.run(wallet.id, isImmediate)
  }, onClose)
  const missing = bill === null || wallet === undefined ? 0 : bill.amount.amount - wallet.balance.amount
  const isRefusedToDebtor = (bill?.amount.amount ?? 0) > 0 && indebted(wallets.data ?? []).length > 0
  const why =
    wallet === undefined
      ? t('create.why.wallet')
      : isRefusedToDebtor
        ? t('create.why.owed')
        : missing > 0
          ? t('create.why.funds')
          : undefined
  return {
    wallets,
    wallet,
    missing,
    isRefusedToDebtor,
    /** Why it cannot be paid. */
    why,
    label:
      bill !== null && bill.amount.amount > 0
        ? t('plans.confirmAndPay', { what: bill.confirm, price: format.money(bill.amount) })
        : (bill?.confirm ?? ''),
    isImmediate,
    agree,
    isBusy,
    error,
    close,
    confirm,
  }
}

type Paying = ReturnType<typeof usePaying>

/** Before money moves: how much, from which wallet, what is left of it, and until when it then runs. */
export function BillDetails({
  bill,
  paying,
  from,
}: {
  bill: Bill
  paying: Paying
  /** Where a top-up comes back to. */
  from: string
}) {
  const { t } = useTranslation()
  const { wallets, wallet, missing, error } = paying
  const immediateFault = useImmediateFault(error)
  const immediateHint = useImmediateHint()
  if (wallet === undefined)
    return wallets.error === null ? (
      <SkeletonText lines={4} />
    ) : (
      <ErrorState error={wallets.error} onRetry={() => void wallets.refetch()} />
    )
  return (
    <div className={classes['part']}>
      <p className={classes['muted']}>{bill.text}</p>
      <BillLines bill={bill} wallet={wallet} />
      {bill.amount.amount > 0 && (
        <Checkbox
          label={t('withdraw.immediateChange')}
          description={immediateHint}
          error={immediateFault}
          checked={paying.isImmediate}
          onChange={(event) => paying.agree(event.currentTarget.checked)}
        />
      )}
      {paying.isRefusedToDebtor ? (
        <DebtNotes
          wallets={wallets.data ?? []}
          text={t('plans.owedText')}
          lacking={{ wallet, missing: Math.max(0, missing) }}
          from={from}
        />
      ) : (
        missing > 0 && <TopUpLink wallet={wallet} missing={missing} from={from} fullWidth />
      )}
      {error !== undefined && immediateFault === undefined && <ErrorNote error={error} title={t('plans.failed')} />}
    </div>
  )
}

function BillLines({ bill, wallet }: { bill: Bill; wallet: Wallet }) {
  const { t } = useTranslation()
  const format = useFormat()
  const rate = wallet.country_tax_rate.vat_rate
  const { amount, currency } = bill.amount
  const size = { amount: Math.abs(amount), currency }
  return (
    <KeyValueList
      rows={[
        {
          key: amount < 0 ? t('plans.comesBack') : t('create.toPay'),
          value: <Price gross={size} tax={taxWithin(size, rate)} rate={rate} />,
        },
        { key: t('create.balanceBefore'), value: format.money(wallet.balance) },
        {
          key: t('create.balanceAfter'),
          value: <BalanceAfter amount={wallet.balance.amount - amount} currency={currency} />,
        },
        ...(bill.until === null ? [] : [{ key: t('renew.then'), value: format.dateTime(bill.until) }]),
      ]}
    />
  )
}
