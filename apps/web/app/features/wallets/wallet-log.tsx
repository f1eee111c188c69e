import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#app/i18n/texts.tsx'
import type { WalletLog as WalletLogEntry } from '@wakestone/contract/money/wallet'
import { pageSize, walletLogsQuery } from '#app/api/queries.ts'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Money } from '#app/ui/money.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { useAfter } from '#app/ui/table-address.ts'
import classes from './wallet-lists.module.css'

/** What it was; of a credit by hand also what an administrator wrote to the wallet's owner. */
function Cause({ cause, details }: WalletLogEntry) {
  const { t } = useTranslation()
  const { reason } = details
  return (
    <>
      {t(`wallet.causes.${cause}`)}
      {cause === 'ADJUSTMENT' && typeof reason === 'string' && <span className={classes['reason']}>{reason}</span>}
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
