import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { AdminServer } from '@wakestone/contract/admin/servers'
import { idSchema } from '@wakestone/contract/primitives'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { adminServerQuery } from '#app/features/admin/server-queries.ts'
import { EventTable } from '#app/features/events/event-list.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { planName, serverPath } from '#app/features/servers/server-names.ts'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { shownState } from '#app/features/servers/shown-state.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Badge, StateBadge } from '#app/ui/state-badge.tsx'
import type { Route } from './+types/admin-server'
import classes from './admin-servers.module.css'
import { FlagBadges } from './flag-badges.tsx'
import { FlagSwitches } from './flag-switches.tsx'
import { Limits } from './limits.tsx'
import { MoveButton } from './move-button.tsx'
import { Processes } from './processes.tsx'

export const handle = { frame: adminFrame } satisfies FrameHandle

export async function loader({ request, context, params }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin.server')
  const known = idSchema.safeParse(params.serverId).success
  const { api } = context.get(webContext)
  return { queries: await prefetch(...(known ? [adminServerQuery(params.serverId, api)] : [])) }
}

/** `/{lang}/admin/servers/{id}`: where a server is, why it stands still, its limits and what only administrators turn. */
export default function AdminServerPage({ loaderData, params }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.queries}>
      <Found serverId={params.serverId} />
    </HydrationBoundary>
  )
}

function Found({ serverId }: { serverId: string }) {
  const { data, error, refetch } = useQuery(adminServerQuery(serverId))
  return (
    <>
      <PageMeta page="adminServer" {...(data !== undefined && { title: data.server.name })} />
      {data !== undefined ? (
        <OneServer data={data} />
      ) : error === null ? (
        <Skeleton height={420} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </>
  )
}

function OneServer({ data }: { data: AdminServer }) {
  const { t } = useTranslation()
  const path = usePath()
  const { server, flags, standstills } = data
  return (
    <div className={classes['page']}>
      <PageHeader
        title={server.name}
        beside={
          <div className={classes['badges']}>
            <StateBadge state={shownState(server)} />
            <FlagBadges flags={flags} />
          </div>
        }
        text={server.address}
        actions={
          <>
            <LinkButton to={path('/admin/servers')} icon={<IconArrowLeft size={16} aria-hidden="true" />}>
              {t('adminServers.title')}
            </LinkButton>
            <MoveButton server={server} />
            <LinkButton look="primary" to={serverPath(server)}>
              {t('adminServers.panel')}
            </LinkButton>
          </>
        }
      />
      {standstills.length > 0 && (
        <Card title={t('adminServers.standsStill')}>
          <div className={classes['badges']}>
            {standstills.map((cause) => (
              <Badge key={cause} colour="ember" shape="triangle">
                {t(`adminServers.standstills.${cause}`)}
              </Badge>
            ))}
          </div>
        </Card>
      )}
      <div className={classes['columns']}>
        <Overview data={data} />
        <Placement data={data} />
        <FlagSwitches key={JSON.stringify(flags)} data={data} />
        <Processes serverId={server.id} />
      </div>
      <Limits key={JSON.stringify(data.limits.set)} data={data} />
      <EventTable
        source={{ kind: 'server', id: server.id }}
        path={`${serverPath(server)}/events`}
        empty={t('events.emptyText')}
      />
    </div>
  )
}

function Overview({ data: { server } }: { data: AdminServer }) {
  const { t } = useTranslation()
  const path = usePath()
  const when = (time: string | null, otherwise: string) => (time === null ? otherwise : <DateTime value={time} />)
  const rows = [
    { key: t('admin.id'), value: <code>{server.id}</code> },
    { key: t('admin.owner'), value: <Link to={path(`/user/${server.owner_id}`)}>{server.owner_name}</Link> },
    { key: t('admin.plan'), value: planName(server.product_id) },
    { key: t('admin.until'), value: when(server.expires, t('admin.forever')) },
    { key: t('adminServers.engine'), value: `${server.parameters.engine} ${server.parameters.engine_version}` },
    { key: t('admin.since'), value: <DateTime value={server.created_at} /> },
    { key: t('adminServers.cleanup'), value: when(server.cleanup_date, '–') },
  ]
  return (
    <Card title={t('adminServers.overview')}>
      <KeyValueList rows={rows} />
    </Card>
  )
}

function Placement({ data: { placement, server } }: { data: AdminServer }) {
  const { t } = useTranslation()
  const path = usePath()
  const format = useFormat()
  const when = (time: string | null) => (time === null ? '–' : <DateTime value={time} />)
  const { cluster } = placement
  const rows = [
    {
      key: t('adminServers.cluster'),
      value: (
        <div className={classes['badges']}>
          <Link to={path(`/admin/clusters?cluster=${cluster.id}`)}>{cluster.name}</Link>
          {cluster.draining && (
            <Badge size="small" colour="ember" shape="triangle">
              {t('adminClusters.draining')}
            </Badge>
          )}
        </div>
      ),
    },
    {
      key: t('adminServers.node'),
      value:
        placement.host === null || placement.port === null ? '–' : <code>{`${placement.host}:${placement.port}`}</code>,
    },
    { key: t('adminServers.pod'), value: server.pod === null ? '–' : <code>{server.pod}</code> },
    { key: t('adminServers.placedAt'), value: when(placement.placed_at) },
    {
      key: t('adminServers.phase'),
      value: placement.phase === null ? '–' : <code>{placement.phase}</code>,
    },
    {
      key: t('adminServers.wanted'),
      value: t(placement.want_running ? 'adminServers.wantedUp' : 'adminServers.wantedDown'),
    },
    { key: t('adminServers.hold'), value: placement.hold === null ? '–' : <code>{placement.hold}</code> },
    { key: t('adminServers.nextLook'), value: when(placement.next_look_at) },
    { key: t('adminServers.unreached'), value: when(placement.unreached_since) },
    {
      key: t('adminServers.disk'),
      value: placement.disk_bytes === null ? '–' : format.bytes(placement.disk_bytes),
    },
  ]
  return (
    <Card title={t('adminServers.placement')}>
      <KeyValueList rows={rows} />
    </Card>
  )
}
