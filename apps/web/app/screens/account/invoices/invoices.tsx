import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'react-router'
import { idSchema } from '@wakestone/contract/primitives'
import { prefetch } from '#app/api/prefetch.ts'
import { pageSize } from '#app/api/queries.ts'
import classes from '#app/features/invoices/invoices.module.css'
import { invoiceColumns } from '#app/features/invoices/invoice-columns.tsx'
import { invoicesQuery, readTransaction } from '#app/features/invoices/invoice-queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { WalletTabs } from '#app/features/wallets/wallet-tabs.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { readAfter, useAfter } from '#app/ui/table-address.ts'
import { AccountFrame } from '../account-frame.tsx'
import type { Route } from './+types/invoices'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api } = context.get(webContext)
  const search = new URL(request.url).searchParams
  const of = { userId: user.id, transaction: readTransaction(search) }
  return { queries: await prefetch(invoicesQuery(of, readAfter(search).at(-1), api)) }
}

/** `/{lang}/account/invoices`: what was bought, as documents to keep. */
export default function InvoicesScreen({ loaderData }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="invoices" />
      <AccountFrame>
        <WayBack />
        <Card padded={false}>
          <Invoices />
        </Card>
      </AccountFrame>
    </HydrationBoundary>
  )
}

/** For whoever came from a wallet. */
function WayBack() {
  const [search] = useSearchParams()
  const wallet = idSchema.safeParse(search.get('wallet'))
  if (!wallet.success) return null
  return (
    <div className={classes['tabs']}>
      <WalletTabs walletId={wallet.data} here="invoices" />
    </div>
  )
}

function Invoices() {
  const { t } = useTranslation()
  const language = useLanguage()
  const user = useSignedInUser()
  const path = usePath()
  const [search] = useSearchParams()
  const transaction = readTransaction(search)
  const wallet = search.get('wallet')
  const all = path('/account/invoices') + (wallet === null ? '' : `?wallet=${encodeURIComponent(wallet)}`)
  const list = useQuery(invoicesQuery({ userId: user.id, transaction }, useAfter()))
  return (
    <>
      {transaction !== undefined && (
        <p className={classes['only']}>
          {t('invoices.ofPayment')} <Link to={all}>{t('invoices.showAll')}</Link>
        </p>
      )}
      <KeysetTable
        query={list}
        size={pageSize}
        label={t('invoices.title')}
        columns={invoiceColumns(t, language)}
        rowKey={(entry) => entry.id}
        empty={<EmptyState title={t('invoices.empty')} text={t('invoices.emptyText')} figure="sheep" />}
      />
    </>
  )
}
