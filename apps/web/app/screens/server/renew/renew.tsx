import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { getService } from '@wakestone/contract/sales/billings-routes'
import { getServer } from '@wakestone/contract/servers/servers-routes'
import { prefetch } from '#app/api/prefetch.ts'
import { walletsQuery } from '#app/api/queries.ts'
import { findServerId } from '#app/features/servers/server-queries.ts'
import { requireUser } from '#app/features/session/require-user.ts'
import { webContext } from '#app/load-context.ts'
import { Link } from 'react-router'
import type { Route } from './+types/renew'
import { useTranslation } from '#app/i18n/texts.tsx'
import { AutoRenew } from '#app/features/renew/auto-renew.tsx'
import { RenewForm } from '#app/features/renew/renew-form.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { currencyOf, renewalCostsQuery, serviceQuery } from '#app/features/servers/service-queries.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import { useServerPage } from '../use-server-page.ts'
import { WithdrawnNote } from '../withdrawn-note.tsx'
import { KeepFree } from './keep-free.tsx'
import classes from './renew.module.css'

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
  const wallets = walletsQuery(user.id, api)
  return { queries: await prefetch(known, wallets, renewalCostsQuery(id, { currency: currencyOf(service) }, api)) }
}

/** The browser keeps itself up to date. */
export const shouldRevalidate = () => false

/** `/s/{identity}/payments/renew`: another period for a server. */
export default function Renew({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const { server } = useServerPage()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="renew" title={`${t('renew.title')} · ${server.name}`} />
      <PageHeader title={t('renew.title')} text={t('renew.text')} />
      <RenewPage />
    </HydrationBoundary>
  )
}

function RenewPage() {
  const { t } = useTranslation()
  const { server, identity } = useServerPage()
  const user = useSignedInUser()
  const isOwner = user.id === server.owner_id
  const { data: service, error, refetch } = useQuery({ ...serviceQuery(server.service_id), enabled: isOwner })
  if (!isOwner)
    return (
      <EmptyState
        title={t('renew.notOwner')}
        text={t('renew.notOwnerText')}
        action={<LinkButton to={`/s/${identity}`}>{t('renew.back')}</LinkButton>}
      />
    )
  if (service !== undefined)
    return service.product.id === 'FREE' ? (
      <KeepFree service={service} />
    ) : (
      <div className={classes['columns']}>
        <RenewForm
          service={service}
          page={`/s/${identity}/payments/renew`}
          back={{ to: `/s/${identity}`, label: t('renew.back') }}
        />
        <AutoRenew service={service} />
        {server.withdrawn_at === null ? (
          <p className={classes['help']}>
            <Link to={`/s/${identity}/payments/withdraw`}>{t('withdraw.link')}</Link>
          </p>
        ) : (
          <WithdrawnNote className={classes['help']} />
        )}
      </div>
    )
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <Card>
      <SkeletonText lines={6} />
    </Card>
  )
}
