import { Link } from 'react-router'
import type { TransactionAction, TransactionStatus } from '@wakestone/contract/states'
import type { Transaction } from '@wakestone/contract/money/transaction'
import { useProductName } from '#app/features/servers/use-product-name.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { Money } from '#app/ui/money.tsx'
import { Badge, type BadgeColour, type BadgeShape } from '#app/ui/state-badge.tsx'

const looks: Record<TransactionStatus, { colour: BadgeColour; shape: BadgeShape }> = {
  DRAFT: { colour: 'muted', shape: 'ring' },
  NEW: { colour: 'lantern', shape: 'ring' },
  PROCESSING: { colour: 'lantern', shape: 'pulse' },
  READY_TO_CAPTURE: { colour: 'lantern', shape: 'pulse' },
  COMPLETED: { colour: 'moss', shape: 'filled' },
  FAILED: { colour: 'ember', shape: 'triangle' },
  CANCELLED: { colour: 'muted', shape: 'square' },
  ADMIN_ACTION: { colour: 'dusk', shape: 'filled' },
}

/** Whose page follows a payment, where it is not PayU's. */
const returnPlaces: Partial<Record<Transaction['provider'], string>> = {
  paypal: 'paypal',
  paynow: 'paynow',
  blik: 'paynow',
}

/** Whose positions are products. */
const ofProducts: readonly TransactionAction[] = [
  'ADD_SERVICE',
  'RENEW_SERVICE',
  'UPGRADE_SERVICE',
  'RENEW_SERVER',
  'PAY_BILL',
]

/** The way to the document of a payment, for whose payment it was. */
export function useReceiptColumn(): Column<Transaction> {
  const { t } = useTranslation()
  return {
    key: 'receipt',
    header: t('wallet.document'),
    // What is empty takes no line on a phone.
    cell: (payment) => payment.invoiceid !== null && <ReceiptLink payment={payment} walletId={payment.wallet_id} />,
  }
}

export function ReceiptLink({
  payment,
  walletId,
}: {
  payment: Pick<Transaction, 'id' | 'invoiceid'> | null
  walletId: string
}) {
  const { t } = useTranslation()
  const path = usePath()
  if (payment === null || payment.invoiceid === null) return '–'
  return (
    <Link to={path(`/account/invoices?transaction=${payment.id}&wallet=${walletId}`)}>{t('wallet.showDocument')}</Link>
  )
}

/** Nothing was bought: a server on the free plan began or goes on. */
const isOfFreePlan = ({ positions }: Pick<Transaction, 'positions'>) =>
  positions.length > 0 && positions.every(({ name, total_price_gross: price }) => name === 'FREE' && price === 0)

/** What a payment was for, in words. */
export function useWriteTransaction() {
  const { t } = useTranslation()
  const nameOf = useProductName()
  return ({
    action,
    positions,
    amount = 0,
    plan_change: change = null,
  }: Pick<Transaction, 'action' | 'positions'> & Partial<Pick<Transaction, 'amount' | 'plan_change'>>) => {
    if (isOfFreePlan({ positions })) return t(action === 'RENEW_SERVICE' ? 'wallet.freeRenewed' : 'wallet.freeBegun')
    const isBack = amount < 0 && ofProducts.includes(action)
    if (isBack && change !== null) return t('wallet.downgrade', { from: nameOf(change.from), to: nameOf(change.to) })
    const text = isBack ? t('wallet.causes.REFUND') : t(`wallet.actions.${action}`)
    const names = ofProducts.includes(action) ? positions.map(({ name }) => nameOf(name)) : []
    return names.length === 0 ? text : `${text}: ${names.join(', ')}`
  }
}

/** What went back to its payer, or came again after that, with the payment that it is of. */
export function useWriteReturn() {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    { return_kind: kind, return_of: of }: Pick<Transaction, 'return_kind' | 'return_of'>,
    amount: number,
  ): string | undefined => {
    if (kind === null) return undefined
    const what = t(`wallet.returns.${kind}.${amount < 0 ? 'away' : 'again'}`)
    if (of === null) return what
    const words = { what, date: format.date(of.ts), provider: t(`wallet.providers.${of.provider}`) }
    return t(of.action === 'ITEMSHOP_SELL' ? 'wallet.returnOf.sale' : 'wallet.returnOf.topUp', words)
  }
}

/** A payment: when, what for, how, how far it is, and how much. `leadsOn`: top-ups lead to the page that follows them. */
export function useTransactionColumns({ leadsOn = true }: { leadsOn?: boolean } = {}): Column<Transaction>[] {
  const { t } = useTranslation()
  const path = usePath()
  const write = useWriteTransaction()
  const writeReturn = useWriteReturn()
  return [
    { key: 'date', header: t('wallet.date'), cell: (entry) => <DateTime value={entry.ts} /> },
    {
      key: 'what',
      header: t('wallet.what'),
      phone: 'title',
      cell: (entry) =>
        entry.return_kind !== null ? (
          writeReturn(entry, entry.amount)
        ) : entry.status === 'ADMIN_ACTION' ? (
          t('wallet.causes.ADJUSTMENT')
        ) : leadsOn && entry.action === 'DEPOSIT' ? (
          <Link to={path(`/${returnPlaces[entry.provider] ?? 'payu'}/continue?transaction=${entry.id}`)}>
            {write(entry)}
          </Link>
        ) : (
          write(entry)
        ),
    },
    {
      key: 'provider',
      header: t('wallet.provider'),
      cell: (entry) => !isOfFreePlan(entry) && t(`wallet.providers.${entry.provider}`),
    },
    {
      key: 'status',
      header: t('wallet.status'),
      cell: (entry) => (
        <Badge size="small" {...looks[entry.status]}>
          {t(`wallet.statuses.${entry.status}`)}
        </Badge>
      ),
    },
    {
      key: 'amount',
      header: t('wallet.amount'),
      align: 'end',
      phone: 'aside',
      cell: (entry) => !isOfFreePlan(entry) && <Money value={{ amount: entry.amount, currency: entry.currency }} />,
    },
  ]
}
