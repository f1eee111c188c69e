import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { listPlayersOfDay } from '@wakestone/contract/servers/history-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { useSearchParams } from 'react-router'
import { prefetch } from '#app/api/prefetch.ts'
import { queryOf } from '#app/api/query-of.ts'
import { serversQuery } from '#app/api/queries.ts'
import { listInterval } from '#app/features/servers/server-queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { firstStepsQuery } from '#app/features/session/first-steps-query.ts'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { InvitationCards } from '#app/features/sharing/invitation-cards.tsx'
import { invitationsQuery } from '#app/features/sharing/sharing-queries.ts'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { SearchFilter, SelectFilter, TableFilters } from '#app/ui/table-filters.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import type { Route } from './+types/servers'
import { FirstSteps } from './first-steps.tsx'
import { arrangeServers, serverOrders } from './arrange-servers.ts'
import { ServerRow, ServerRowSkeleton } from './server-row.tsx'
import classes from './servers.module.css'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api } = context.get(webContext)
  return { state: await prefetch(serversQuery(user.id, api), invitationsQuery(user.id, api), firstStepsQuery(api)) }
}

export default function Servers({ loaderData }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.state}>
      <PageMeta page="servers" />
      <ServersList />
    </HydrationBoundary>
  )
}

/** `/{lang}/s`: the servers of the user, up to date while it is looked at. */
function ServersList() {
  const { t } = useTranslation()
  const path = usePath()
  const user = useSignedInUser()
  const servers = useQuery({ ...serversQuery(user.id), refetchInterval: ({ state }) => listInterval(state.data) })
  const create = (
    <LinkButton look="primary" to={path('/create')} icon={<IconPlus />}>
      {t('servers.create')}
    </LinkButton>
  )
  const list = servers.data?.filter((server) => server.deleted_at === null)
  const isEmpty = list?.length === 0
  return (
    <>
      <PageHeader title={t('servers.title')} {...(list === undefined || isEmpty ? {} : { actions: create })} />
      <InvitationCards />
      <FirstSteps />
      {list === undefined ? (
        servers.isError ? (
          <ErrorState error={servers.error} title={t('servers.errorTitle')} onRetry={() => void servers.refetch()} />
        ) : (
          <ul className={classes.list} aria-busy="true" aria-label={t('servers.title')}>
            {Array.from({ length: 3 }, (_, index) => (
              <ServerRowSkeleton key={index} />
            ))}
          </ul>
        )
      ) : isEmpty ? (
        <EmptyState title={t('servers.emptyTitle')} text={t('servers.emptyText')} action={create} />
      ) : (
        <>
          {servers.isRefetchError && <ErrorNote error={servers.error} title={t('servers.stale')} />}
          {list.length > 1 && <Filters />}
          <Found list={list} />
        </>
      )}
    </>
  )
}

/** For who has more than one. */
function Filters() {
  const { t } = useTranslation()
  return (
    <div className={classes.filters}>
      <TableFilters names={['q', 'sort']}>
        <SearchFilter name="q" label={t('servers.search')} />
        <SelectFilter
          name="sort"
          label={t('servers.sort')}
          options={[
            { value: '', label: t('servers.sorts.made') },
            ...serverOrders.map((order) => ({ value: order, label: t(`servers.sorts.${order}`) })),
          ]}
        />
      </TableFilters>
    </div>
  )
}

/** How many played is no news after a few minutes. */
const playersEvery = 5 * 60_000

function Found({ list }: { list: readonly Server[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const user = useSignedInUser()
  const [search] = useSearchParams()
  const { data: past = [] } = useQuery(
    queryOf(listPlayersOfDay, { params: { id: user.id } }, { refetchInterval: playersEvery }),
  )
  const isSeveral = list.length > 1
  const shown = arrangeServers(list, {
    words: isSeveral ? (search.get('q') ?? '') : '',
    order: serverOrders.find((order) => order === search.get('sort')) ?? null,
    language,
  })
  if (shown.length === 0) return <p className={classes.none}>{t('servers.noneFound')}</p>
  return (
    <ul className={classes.list} aria-label={t('servers.title')}>
      {shown.map((server) => (
        <ServerRow
          key={server.id}
          server={server}
          playersOfDay={past.find(({ server_id }) => server_id === server.id)?.players}
        />
      ))}
    </ul>
  )
}
