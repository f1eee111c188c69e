import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { useTranslation } from '#app/i18n/texts.tsx'
import { prefetch } from '#app/api/prefetch.ts'
import { serversQuery } from '#app/api/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { FreePlayCard } from '#app/features/servers/free-play/free-play-card.tsx'
import { availabilityQuery, freePlayQuery } from '#app/features/servers/free-play/free-play-queries.ts'
import { serverPath } from '#app/features/servers/server-names.ts'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import type { Route } from './+types/free-play'
import classes from './free-play.module.css'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api } = context.get(webContext)
  return { state: await prefetch(serversQuery(user.id, api), freePlayQuery(api), availabilityQuery(api)) }
}

/** `/{lang}/free-play`: the queue for a place, with a server or before there is one. */
export default function FreePlay({ loaderData }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.state}>
      <PageMeta page="freePlay" />
      <Turn />
    </HydrationBoundary>
  )
}

function Turn() {
  const { t } = useTranslation()
  const user = useSignedInUser()
  const { data: servers } = useQuery(serversQuery(user.id))
  const server = servers?.find(
    (one) => one.product_id === 'FREE' && one.owner_id === user.id && one.deleted_at === null,
  )
  return (
    <>
      <PageHeader
        title={t('pages.freePlay.title')}
        {...(server !== undefined && {
          actions: <LinkButton to={serverPath(server)}>{t('freePlay.openServer')}</LinkButton>,
        })}
      />
      <div className={classes['narrow']}>
        <FreePlayCard server={server ?? null} canPower title={t('freePlay.place')} />
      </div>
    </>
  )
}
