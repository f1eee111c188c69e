import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { serverPath } from '#app/features/servers/server-names.ts'
import { useProductName } from '#app/features/servers/use-product-name.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import type { WalletLog as WalletLogEntry } from '@wakestone/contract/money/wallet'
import { pageSize, serversQuery, walletLogsQuery } from '#app/api/queries.ts'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Money } from '#app/ui/money.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { useAfter } from '#app/ui/table-address.ts'
import { ReceiptLink, useWriteReturn, useWriteTransaction } from './transaction-columns.tsx'
import classes from './wallet-lists.module.css'

/**
 * What it was: of a purchase what was bought and, of the wallet's owner, the server; of a credit by hand what an
 * administrator wrote to the wallet's owner.
 */
function Cause({
  entry: { cause, details, transaction, amount, sale },
  ownerId,
}: {
  entry: WalletLogEntry
  ownerId: string
}) {
  const { t } = useTranslation()
  const nameOf = useProductName()
  const write = useWriteTransaction()
  const returned = useWriteReturn()(transaction ?? { return_kind: null, return_of: null }, amount.amount)
  const { data: servers = [] } = useQuery(serversQuery(ownerId))
  const { reason, product_id: product, product_before: before, service_id: service } = details
  const server = servers.find((one) => one.service_id === service)
  const format = useFormat()
  const isCredit = cause === 'ADJUSTMENT' && typeof reason === 'string'
  return (
    <>
      {transaction !== null && (cause === 'PAYMENT' || cause === 'RENEW_SERVICE') ? (
        write(transaction)
      ) : cause === 'REFUND' && typeof before === 'string' && typeof product === 'string' ? (
        t('wallet.downgrade', { from: nameOf(before), to: nameOf(product) })
      ) : (
        <>
          {returned ?? t(`wallet.causes.${cause}`)}
          {typeof product === 'string' && `: ${nameOf(product)}`}
        </>
      )}
      {server !== undefined && (
        <span className={classes['reason']}>
          <Link to={serverPath(server)}>{server.name}</Link>
        </span>
      )}
      {isCredit && <span className={classes['reason']}>{reason}</span>}
      {sale !== null && (
        <span className={classes['reason']}>
          {sale.description}
          {sale.held_until !== null && ` · ${t('wallet.heldUntil', { date: format.date(sale.held_until) })}`}
        </span>
      )}
    </>
  )
}

/** Every movement on a wallet, newest first. */
export function WalletLog({ walletId, ownerId }: { walletId: string; ownerId: string }) {
  const { t } = useTranslation()
  const { id: readerId } = useSignedInUser()
  const list = useQuery(walletLogsQuery(walletId, useAfter()))
  const columns: Column<WalletLogEntry>[] = [
    { key: 'date', header: t('wallet.date'), cell: (entry) => <DateTime value={entry.ts} /> },
    {
      key: 'what',
      header: t('wallet.what'),
      phone: 'title',
      cell: (entry) => <Cause entry={entry} ownerId={ownerId} />,
    },
    {
      key: 'amount',
      header: t('wallet.amount'),
      align: 'end',
      cell: (entry) => (
        <span className={entry.amount.amount > 0 ? classes['plus'] : classes['minus']}>
          <Money value={entry.amount} signed />
        </span>
      ),
    },
    { key: 'after', header: t('wallet.after'), align: 'end', cell: (entry) => <Money value={entry.balance_after} /> },
    // Documents are on their owner's page alone.
    ...(ownerId === readerId
      ? [
          {
            key: 'receipt',
            header: t('wallet.document'),
            cell: ({ transaction }: WalletLogEntry) => <ReceiptLink payment={transaction} walletId={walletId} />,
          },
        ]
      : []),
  ]
  return (
    <KeysetTable
      query={list}
      size={pageSize}
      label={t('wallet.log')}
      columns={columns}
      rowKey={(entry) => entry.id}
      empty={<EmptyState title={t('wallet.logEmpty')} text={t('wallet.logEmptyText')} />}
    />
  )
}
