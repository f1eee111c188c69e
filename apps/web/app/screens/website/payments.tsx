import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { data, Link } from 'react-router'
import { ApiError } from '@wakestone/contract/client'
import { getService } from '@wakestone/contract/sales/billings-routes'
import { getCraftumParameters } from '@wakestone/contract/websites/craftums-routes'
import { prefetch } from '#app/api/prefetch.ts'
import { walletsQuery } from '#app/api/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { AutoRenew } from '#app/features/renew/auto-renew.tsx'
import { RenewForm } from '#app/features/renew/renew-form.tsx'
import { serviceTransactionsQuery } from '#app/features/servers/plan-queries.ts'
import { currencyOf, renewalCostsQuery, serviceQuery } from '#app/features/servers/service-queries.ts'
import { requireUser } from '#app/features/session/require-user.ts'
import { useTransactionColumns } from '#app/features/wallets/transaction-columns.tsx'
import { websiteQuery } from '#app/features/websites/website-queries.ts'
import { useWithdrawnNote, WebsiteState } from '#app/features/websites/website-state.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { QueryTable } from '#app/ui/query-table.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/payments'
import classes from './website.module.css'

export async function loader({ request, context, params: { craftumId: id } }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api } = context.get(webContext)
  const website = await api(getCraftumParameters, { params: { id } }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status < 500) throw data(null, { status: 404 })
    throw error
  })
  const serviceId = website.craftum.service_id
  const service = await api(getService, { params: { id: serviceId } })
  return {
    queries: await prefetch(
      { ...websiteQuery(id, api), queryFn: () => website },
      { ...serviceQuery(serviceId, api), queryFn: () => service },
      walletsQuery(user.id, api),
      renewalCostsQuery(serviceId, { currency: currencyOf(service) }, api),
      serviceTransactionsQuery(serviceId, api),
    ),
  }
}

/** The browser keeps itself up to date. */
export const shouldRevalidate = () => false

/** `/{lang}/c/{craftumId}/payments`: another period for a website, and what was paid for it. */
export default function WebsitePayments({ loaderData, params }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PaymentsPage id={params.craftumId} />
    </HydrationBoundary>
  )
}

function PaymentsPage({ id }: { id: string }) {
  const { t } = useTranslation()
  const path = usePath()
  const withdrawnNote = useWithdrawnNote()
  const { data: website, error, refetch } = useQuery(websiteQuery(id))
  const craftum = website?.craftum
  const { data: service } = useQuery({
    ...serviceQuery(craftum?.service_id ?? ''),
    enabled: craftum !== undefined,
  })
  if (craftum === undefined || service === undefined)
    return error === null ? (
      <Card>
        <SkeletonText lines={6} />
      </Card>
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  const back = { to: path(`/c/${id}`), label: t('websites.back') }
  return (
    <>
      <PageMeta page="websitePayments" title={`${t('websites.payments')} · ${craftum.name}`} />
      <PageHeader
        title={t('websites.paymentsOf', { name: craftum.name })}
        beside={<WebsiteState website={craftum} />}
        text={withdrawnNote(craftum) ?? t('websites.paymentsText')}
        actions={<LinkButton to={back.to}>{back.label}</LinkButton>}
      />
      <div className={classes['columns']}>
        <RenewForm service={service} page={path(`/c/${id}/payments`)} back={back} />
        <AutoRenew service={service} />
      </div>
      <Card title={t('websites.transactions')} padded={false}>
        <Transactions serviceId={craftum.service_id} />
      </Card>
      {craftum.withdrawn_at === null && (
        <p className={classes['withdraw']}>
          <Link to={path(`/c/${id}/withdraw`)}>{t('withdraw.link')}</Link>
        </p>
      )}
    </>
  )
}

function Transactions({ serviceId }: { serviceId: string }) {
  const { t } = useTranslation()
  const columns = useTransactionColumns()
  const list = useQuery(serviceTransactionsQuery(serviceId))
  return (
    <QueryTable
      query={list}
      label={t('websites.transactions')}
      columns={columns}
      rows={list.data?.data}
      rowKey={(entry) => entry.id}
      empty={<EmptyState title={t('plans.noTransactions')} text={t('plans.noTransactionsText')} figure="sheep" />}
    />
  )
}
