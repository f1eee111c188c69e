import { HydrationBoundary, useQuery, useQueryClient } from '@tanstack/react-query'
import { IconHistory, IconLayoutDashboard } from '@tabler/icons-react'
import { ApiError } from '@wakestone/contract/client'
import type { Server } from '@wakestone/contract/server'
import { panelState } from '@wakestone/contract/states'
import { canManageServer } from '@wakestone/contract/capabilities'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { data, Outlet, type ShouldRevalidateFunctionArgs } from 'react-router'
import { renewSession } from '#app/api/client.ts'
import { prefetch } from '#app/api/prefetch.ts'
import { openServerStream, type ServerStream } from '#app/features/console/server-stream.ts'
import {
  findServerId,
  keepStatus,
  serverIdQuery,
  serverQuery,
  statusQuery,
} from '#app/features/servers/server-queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { webContext } from '#app/load-context.ts'
import { ErrorState } from '#app/ui/error-state.tsx'
import type { Route } from './+types/layout'
import { ServerMissing } from './server-missing.tsx'
import { ServerSkeleton } from './server-skeleton.tsx'
import type { ServerPage } from './use-server-page.ts'

export async function loader({ request, context, params }: Route.LoaderArgs) {
  requireUser(request, context)
  const { api } = context.get(webContext)
  // What fails here is asked again by the browser, which shows what went wrong in its place.
  const serverId = await findServerId(params.identity, api).catch(() => undefined)
  const state = serverId == null ? null : await prefetch(serverQuery(serverId, api))
  const hasNoServer = serverId === null || (serverId !== undefined && state?.queries.length === 0)
  return data({ identity: params.identity, serverId, state }, { status: hasNoServer ? 404 : 200 })
}

/** The browser keeps itself up to date: only another server is a reason to load again. */
export function shouldRevalidate({ currentParams, nextParams }: ShouldRevalidateFunctionArgs): boolean {
  return currentParams['identity'] !== nextParams['identity']
}

export const handle = {
  frame: ({ identity, serverId }: { identity: string; serverId: string | null | undefined }, { t }) => ({
    ...(serverId == null ? {} : { serverId }),
    groups: [
      {
        items: [
          { to: `/s/${identity}`, label: t('server.overview'), icon: IconLayoutDashboard, end: true },
          { to: `/s/${identity}/events`, label: t('server.events'), icon: IconHistory },
        ],
      },
    ],
  }),
} satisfies FrameHandle

/** `/s/{identity}`: finds the server and holds what its screens share. */
export default function ServerLayout({ loaderData, params }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.state}>
      {loaderData.serverId === null && <PageMeta page="notFound" />}
      <FoundServer identity={params.identity} knownId={loaderData.serverId} />
    </HydrationBoundary>
  )
}

function FoundServer({ identity, knownId }: { identity: string; knownId: string | null | undefined }) {
  const { t } = useTranslation()
  const found = useQuery({ ...serverIdQuery(identity), enabled: knownId === undefined })
  const id = knownId === undefined ? found.data : knownId
  const server = useQuery({ ...serverQuery(id ?? ''), enabled: id != null })
  if (id === null || isMissing(server.error)) return <ServerMissing identity={identity} />
  if (server.data !== undefined) return <LoadedServer key={server.data.id} identity={identity} server={server.data} />
  const failure = found.error ?? server.error
  if (failure === null) return <ServerSkeleton />
  return (
    <ErrorState
      error={failure}
      title={t('server.errorTitle')}
      onRetry={() => void (found.isError ? found.refetch() : server.refetch())}
    />
  )
}

function isMissing(error: Error | null): boolean {
  return (
    error instanceof ApiError &&
    (error.status === 404 || error.status === 403 || error.body.error === 'invalid_request')
  )
}

/** Opens the server's stream for as long as one of its screens is shown. */
function useStream(serverId: string): ServerStream | null {
  const queries = useQueryClient()
  const [stream, setStream] = useState<ServerStream | null>(null)
  useEffect(() => {
    const opened = openServerStream({
      serverId,
      renewSession,
      onStatus: (status) => keepStatus(queries, serverId, status),
    })
    setStream(opened)
    return () => {
      opened.close()
      setStream(null)
    }
  }, [serverId, queries])
  return stream
}

const never = () => () => {}
const isNotLive = () => false

function LoadedServer({ identity, server }: { identity: string; server: Server }) {
  const user = useSignedInUser()
  const stream = useStream(server.id)
  const isLive = useSyncExternalStore(
    stream?.subscribe ?? never,
    () => stream?.connection().state === 'live',
    isNotLive,
  )
  const { data: status } = useQuery(statusQuery(server, isLive))
  const page: ServerPage = {
    identity,
    server,
    status,
    state: panelState(status),
    canManage: canManageServer(user.user_capabilities, server.user_capabilities),
    stream,
  }
  return <Outlet context={page} />
}
