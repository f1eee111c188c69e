import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { WalletLog as WalletLogEntry } from '@wakestone/contract/wallet'
import { walletLogsQuery } from '#app/api/queries.ts'
import { DataTable, DataTableSkeleton, type Column, Pager } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Money } from '#app/ui/money.tsx'
import classes from './wallet.module.css'

/** Every movement on a wallet, newest first. */
export function WalletLog({ walletId }: { walletId: string }) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const { data, error, refetch } = useQuery(walletLogsQuery(walletId, search.get('after') ?? undefined))
  const columns: Column<WalletLogEntry>[] = [
    { key: 'date', header: t('wallet.date'), cell: (entry) => <DateTime value={entry.ts} /> },
    { key: 'what', header: t('wallet.what'), cell: (entry) => t(`wallet.causes.${entry.cause}`) },
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
  if (data === undefined && error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <DataTableSkeleton label={t('wallet.log')} columns={columns} />
  if (data.data.length === 0 && !search.has('after'))
    return <EmptyState title={t('wallet.logEmpty')} text={t('wallet.logEmptyText')} />
  return (
    <>
      <DataTable label={t('wallet.log')} columns={columns} rows={data.data} rowKey={(entry) => entry.id} />
      <Pager next={nextOf(data)} />
    </>
  )
}

/** Id to go on after, when this page is full: `count` counts all there are. */
export function nextOf(page: { data: readonly { id: string }[]; count: number }, pageSize = 20): string | undefined {
  return page.data.length === pageSize ? page.data.at(-1)?.id : undefined
}
