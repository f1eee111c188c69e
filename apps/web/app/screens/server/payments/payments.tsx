import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { getService } from '@wakestone/contract/sales/billings-routes'
import { getServer } from '@wakestone/contract/servers/servers-routes'
import type { Service } from '@wakestone/contract/sales/service'
import { Link } from 'react-router'
import { prefetch } from '#app/api/prefetch.ts'
import { walletsQuery } from '#app/api/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { ToppedUpNote } from '#app/features/payment/topped-up-note.tsx'
import { addOnsQuery, serviceTransactionsQuery } from '#app/features/servers/plan-queries.ts'
import { planName } from '#app/features/servers/server-names.ts'
import { findServerId } from '#app/features/servers/server-queries.ts'
import { serviceQuery } from '#app/features/servers/service-queries.ts'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useReceiptColumn, useTransactionColumns } from '#app/features/wallets/transaction-columns.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { QueryTable } from '#app/ui/query-table.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import { LimitsPending } from '../limits-pending.tsx'
import { useServerPage } from '../use-server-page.ts'
import type { Route } from './+types/payments'
import { AddOnsCard } from './add-ons-card.tsx'
import classes from './payments.module.css'
import { PlannedCard } from './planned-card.tsx'

/** What fails here is asked again by the browser, which shows what went wrong in its place. */
export async function loader({ request, context, params: { identity } }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api } = context.get(webContext)
  const serverId = await findServerId(identity, api).catch(() => null)
  if (serverId === null) return { queries: null }
  const service = await api(getServer, { params: { id: serverId } })
    .then(({ service_id }) => api(getService, { params: { id: service_id } }))
    .catch(() => undefined)
  if (service === undefined) return { queries: null }
  const id = service.service_id
  const known = { ...serviceQuery(id, api), queryFn: () => service }
  return {
    queries: await prefetch(known, walletsQuery(user.id, api), addOnsQuery(id, api), serviceTransactionsQuery(id, api)),
  }
}

/** The browser keeps itself up to date. */
export const shouldRevalidate = () => false

/** `/s/{identity}/payments`: what is paid next, the plan, what stands beside it, and what was paid. */
export default function Payments({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const { server } = useServerPage()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="serverPayments" title={`${t('plans.title')} · ${server.name}`} />
      <PageHeader title={t('plans.title')} text={t('plans.text')} />
      <PaymentsPage />
    </HydrationBoundary>
  )
}

function PaymentsPage() {
  const { t } = useTranslation()
  const { server, identity } = useServerPage()
  const user = useSignedInUser()
  const isOwner = user.id === server.owner_id
  const { data: service, error, refetch } = useQuery({ ...serviceQuery(server.service_id), enabled: isOwner })
  if (!isOwner)
    return (
      <EmptyState
        title={t('plans.notOwner')}
        text={t('renew.notOwnerText')}
        action={<LinkButton to={`/s/${identity}`}>{t('renew.back')}</LinkButton>}
      />
    )
  if (service === undefined)
    return error === null ? (
      <Card>
        <SkeletonText lines={6} />
      </Card>
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  return (
    <div className={classes['stack']}>
      <ToppedUpNote />
      <div className={classes['columns']}>
        <div className={classes['stack']}>
          <PlannedCard service={service} />
          <PlanOverview service={service} />
        </div>
        <AddOnsCard
          serviceId={service.service_id}
          rate={service.renewal?.cost.country_tax_rate.vat_rate ?? undefined}
        />
      </div>
      <Card title={t('plans.transactions')} padded={false}>
        <ServiceTransactions serviceId={service.service_id} />
      </Card>
      {service.product.id !== 'FREE' && server.withdrawn_at === null && (
        <p className={classes['muted']}>
          <Link to={`/s/${identity}/payments/withdraw`}>{t('withdraw.link')}</Link>
        </p>
      )}
    </div>
  )
}

function PlanOverview({ service }: { service: Service }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { server, identity } = useServerPage()
  const { limits } = server.parameters
  const { renewal } = service
  const isFree = service.product.id === 'FREE'
  const renewing =
    renewal?.automatic_at == null
      ? t('plans.renewsNot')
      : t('plans.renews', { price: format.money(renewal.cost.gross_price), date: format.date(renewal.automatic_at) })
  return (
    <Card title={planName(service.product.id)}>
      <div className={classes['part']}>
        <KeyValueList
          rows={[
            { key: t('plans.memory'), value: format.bytes(limits.memory) },
            { key: t('plans.processor'), value: t('offers.cores', { count: limits.cpu }) },
            { key: t('plans.storage'), value: format.bytes(limits.storage) },
            {
              key: t('plans.players'),
              value: limits.players === null ? t('plans.unlimited') : format.number(limits.players),
            },
            {
              key: t(isFree ? 'create.runsUntil' : 'renew.runsUntil'),
              value: service.expires === null ? t('server.plan.never') : format.dateTime(service.expires),
            },
            ...(isFree ? [] : [{ key: t('renew.auto'), value: <Link to={`/s/${identity}/renew`}>{renewing}</Link> }]),
          ]}
        />
        <LimitsPending />
        <div className={classes['buttons']}>
          <LinkButton to={`/s/${identity}/payments/upgrade`}>{t('plans.change')}</LinkButton>
        </div>
      </div>
    </Card>
  )
}

function ServiceTransactions({ serviceId }: { serviceId: string }) {
  const { t } = useTranslation()
  const columns = [...useTransactionColumns(), useReceiptColumn()]
  const list = useQuery(serviceTransactionsQuery(serviceId))
  return (
    <QueryTable
      query={list}
      label={t('plans.transactions')}
      columns={columns}
      rows={list.data?.data}
      rowKey={(entry) => entry.id}
      empty={<EmptyState title={t('plans.noTransactions')} text={t('plans.noTransactionsText')} figure="sheep" />}
    />
  )
}
