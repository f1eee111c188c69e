import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { serverPath } from '#app/features/servers/server-names.ts'
import { useProductName } from '#app/features/servers/use-product-name.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import type { WalletLog as WalletLogEntry } from '@wakestone/contract/money/wallet'
import { pageSize, serversQuery, walletLogsQuery } from '#app/api/queries.ts'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Money } from '#app/ui/money.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { useAfter } from '#app/ui/table-address.ts'
import classes from './wallet-lists.module.css'

/**
 * What it was: of a purchase the product and, among the reader's own, the server; of a credit by hand what an
 * administrator wrote to the wallet's owner.
 */
function Cause({ cause, details }: WalletLogEntry) {
  const { t } = useTranslation()
  const nameOf = useProductName()
  const user = useSignedInUser()
  const { data: servers = [] } = useQuery(serversQuery(user.id))
  const { reason, product_id: product, service_id: service } = details
  const server = servers.find((one) => one.service_id === service)
  const isCredit = cause === 'ADJUSTMENT' && typeof reason === 'string'
  return (
    <>
      {t(`wallet.causes.${cause}`)}
      {typeof product === 'string' && `: ${nameOf(product)}`}
      {server !== undefined && (
        <span className={classes['reason']}>
          <Link to={serverPath(server)}>{server.name}</Link>
        </span>
      )}
      {isCredit && <span className={classes['reason']}>{reason}</span>}
    </>
  )
}

/** Every movement on a wallet, newest first. */
export function WalletLog({ walletId }: { walletId: string }) {
  const { t } = useTranslation()
  const list = useQuery(walletLogsQuery(walletId, useAfter()))
  const columns: Column<WalletLogEntry>[] = [
    { key: 'date', header: t('wallet.date'), cell: (entry) => <DateTime value={entry.ts} /> },
    { key: 'what', header: t('wallet.what'), phone: 'title', cell: (entry) => <Cause {...entry} /> },
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
