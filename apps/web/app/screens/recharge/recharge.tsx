import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { providerIds } from '@wakestone/contract/money/transaction'
import { prefetch } from '#app/api/prefetch.ts'
import { providersQuery, walletQuery } from '#app/api/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/recharge'
import classes from './recharge.module.css'
import { RechargeForm } from './recharge-form.tsx'

export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireUser(request, context)
  const { api: client } = context.get(webContext)
  return { queries: await prefetch(walletQuery(params.walletId, client), providersQuery(client)) }
}

export default function Recharge({ loaderData, params }: Route.ComponentProps) {
  const { t } = useTranslation()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="recharge" />
      <PageHeader title={t('recharge.title')} />
      <RechargePage key={params.walletId} walletId={params.walletId} />
    </HydrationBoundary>
  )
}

function RechargePage({ walletId }: { walletId: string }) {
  const wallet = useQuery(walletQuery(walletId))
  const providers = useQuery(providersQuery())
  const error = wallet.error ?? providers.error
  if (wallet.data !== undefined && providers.data !== undefined) {
    const currency = wallet.data.currency
    const methods = providers.data
      .filter(
        (provider) => provider.id !== 'wallet' && provider.currencies.some((entry) => entry.currency === currency),
      )
      .map((provider) => provider.id)
    return (
      <div className={classes['columns']}>
        <RechargeForm
          wallet={wallet.data}
          methods={providerIds.filter((id) => methods.includes(id))}
          takesCode={(id) => providers.data.some((provider) => provider.id === id && provider.takes_code)}
          limitsOf={(id) =>
            providers.data
              .find((provider) => provider.id === id)
              ?.currencies.find((entry) => entry.currency === currency)
          }
        />
      </div>
    )
  }
  if (error !== null)
    return <ErrorState error={error} onRetry={() => void Promise.all([wallet.refetch(), providers.refetch()])} />
  return (
    <Card>
      <SkeletonText lines={6} />
    </Card>
  )
}
