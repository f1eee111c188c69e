import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link, useSearchParams } from 'react-router'
import type { Wallet } from '@wakestone/contract/money/wallet'
import { prefetch } from '#app/api/prefetch.ts'
import { walletLogsQuery, walletQuery, walletsQuery, walletTransactionsQuery } from '#app/api/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { OwedNote } from '#app/features/wallets/owed-note.tsx'
import { WalletLog } from '#app/features/wallets/wallet-log.tsx'
import { WalletTabs } from '#app/features/wallets/wallet-tabs.tsx'
import { WalletTransactions } from '#app/features/wallets/wallet-transactions.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { readAfter } from '#app/ui/table-address.ts'
import type { Route } from './+types/wallet'
import classes from './wallet.module.css'

export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireUser(request, context)
  const { api } = context.get(webContext)
  const search = new URL(request.url).searchParams
  const after = readAfter(search).at(-1)
  const list =
    search.get('list') === 'payments'
      ? walletTransactionsQuery(params.walletId, after, api)
      : walletLogsQuery(params.walletId, after, api)
  return { queries: await prefetch(walletQuery(params.walletId, api), list) }
}

export default function WalletScreen({ loaderData, params }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.queries}>
      <WalletPage walletId={params.walletId} />
    </HydrationBoundary>
  )
}

function WalletPage({ walletId }: { walletId: string }) {
  const { t } = useTranslation()
  const path = usePath()
  const format = useFormat()
  const user = useSignedInUser()
  const [search] = useSearchParams()
  const { data: wallet, error, refetch } = useQuery(walletQuery(walletId))
  const isPayments = search.get('list') === 'payments'
  if (error !== null && wallet === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <PageMeta page="wallet" />
      <PageHeader title={wallet ? t('wallet.title', { currency: wallet.currency }) : t('shell.wallet')} />
      <div className={classes['top']}>
        <Card>
          <div className={classes['balanceRow']}>
            <div>
              <div className={classes['label']}>{t('wallet.balance')}</div>
              <div className={classes['balance']} data-testid="wallet-balance">
                {wallet ? format.money(wallet.balance) : <Skeleton width={160} height={38} />}
              </div>
              {wallet !== undefined && <Held wallet={wallet} />}
            </div>
            <LinkButton look="primary" to={path(`/wallets/${walletId}/recharge`)}>
              {t('wallet.topUp')}
            </LinkButton>
          </div>
        </Card>
        <OtherWallets openId={walletId} />
      </div>
      {wallet !== undefined && (
        <div className={classes['owed']}>
          <OwedNote owed={wallet.owed} text={t('wallet.owedText')} />
        </div>
      )}
      <div className={classes['lists']}>
        <WalletTabs walletId={walletId} here={isPayments ? 'payments' : 'log'} />
      </div>
      <Card padded={false}>
        {isPayments ? <WalletTransactions walletId={walletId} /> : <WalletLog walletId={walletId} ownerId={user.id} />}
      </Card>
    </>
  )
}

/** Money on hold: sales for a time, refunds until they are done. */
function Held({ wallet: { held, held_sales: sales } }: { wallet: Wallet }) {
  const { t } = useTranslation()
  const format = useFormat()
  const other = { ...held, amount: held.amount - (sales?.amount.amount ?? 0) }
  return (
    <>
      {sales != null && (
        <p className={classes['held']}>
          {t(sales.next.amount === sales.amount.amount ? 'wallet.heldSales' : 'wallet.heldSalesInParts', {
            amount: format.money(sales.amount),
            part: format.money(sales.next),
            date: format.date(sales.next_at),
          })}
        </p>
      )}
      {other.amount > 0 && (
        <p className={classes['held']}>{t('wallet.heldRefunds', { amount: format.money(other) })}</p>
      )}
    </>
  )
}

function OtherWallets({ openId }: { openId: string }) {
  const { t } = useTranslation()
  const path = usePath()
  const format = useFormat()
  const user = useSignedInUser()
  const { data: wallets = [] } = useQuery(walletsQuery(user.id))
  return (
    <Card>
      <div className={classes['label']}>{t('wallet.others')}</div>
      <ul className={classes['wallets']}>
        {wallets.map((wallet) => (
          <li key={wallet.id}>
            <Link to={path(`/wallets/${wallet.id}`)} aria-current={wallet.id === openId ? 'page' : undefined}>
              <span>{wallet.currency}</span>
              <b>{format.money(wallet.balance)}</b>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
