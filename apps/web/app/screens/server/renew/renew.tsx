import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#app/i18n/texts.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { serviceQuery } from '#app/features/servers/service-queries.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import { useServerPage } from '../use-server-page.ts'
import { AutoRenew } from './auto-renew.tsx'
import { KeepFree } from './keep-free.tsx'
import { RenewForm } from './renew-form.tsx'
import classes from './renew.module.css'

/** `/s/{identity}/payments/renew`: another period for a server. */
export default function Renew() {
  const { t } = useTranslation()
  const { server } = useServerPage()
  return (
    <>
      <PageMeta page="renew" title={`${t('renew.title')} · ${server.name}`} />
      <PageHeader title={t('renew.title')} text={t('renew.text')} />
      <RenewPage />
    </>
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
        <RenewForm service={service} />
        <AutoRenew service={service} />
      </div>
    )
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <Card>
      <SkeletonText lines={6} />
    </Card>
  )
}
