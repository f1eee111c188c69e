import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { gamesQuery } from '#app/features/servers/games-query.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { prefetch } from '#app/api/prefetch.ts'
import { walletsQuery } from '#app/api/queries.ts'
import { clustersQuery, productsQuery } from '#app/features/servers/server-queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton, SkeletonText } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/create'
import { CreateForm } from './create-form.tsx'
import classes from './create.module.css'
import { basePlans } from './draft.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api: client } = context.get(webContext)
  return {
    state: await prefetch(
      productsQuery(client),
      clustersQuery(client),
      gamesQuery(client),
      walletsQuery(user.id, client),
    ),
  }
}

/** The draft is in the address, which this page writes itself: nothing of it concerns the loader. */
export function shouldRevalidate() {
  return false
}

export default function Create({ loaderData }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.state}>
      <PageMeta page="create" />
      <CreateScreen />
    </HydrationBoundary>
  )
}

/** `/{lang}/create`: one page from plan to payment. */
function CreateScreen() {
  const { t } = useTranslation()
  const user = useSignedInUser()
  const products = useQuery(productsQuery())
  const clusters = useQuery(clustersQuery())
  const games = useQuery(gamesQuery())
  const wallets = useQuery({ ...walletsQuery(user.id), refetchOnWindowFocus: 'always' })
  const failed = [products, clusters, wallets, games].find((query) => query.isError && query.data === undefined)
  const engines = games.data?.flatMap((game) => game.engines)
  return (
    <>
      <PageHeader title={t('create.title')} text={t('create.description')} />
      {failed !== undefined ? (
        <ErrorState error={failed.error} title={t('create.errorTitle')} onRetry={() => void failed.refetch()} />
      ) : products.data === undefined ||
        clusters.data === undefined ||
        wallets.data === undefined ||
        engines === undefined ? (
        <CreateSkeleton />
      ) : (
        <CreateForm
          catalogue={{ plans: basePlans(products.data), clusters: clusters.data, wallets: wallets.data, engines }}
        />
      )}
    </>
  )
}

function CreateSkeleton() {
  return (
    <div className={classes.columns} aria-busy="true">
      <div className={classes.steps}>
        {[150, 90, 120].map((height) => (
          <Card key={height}>
            <Skeleton height={height} />
          </Card>
        ))}
      </div>
      <Card>
        <SkeletonText lines={7} />
      </Card>
    </div>
  )
}
