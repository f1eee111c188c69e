import { HydrationBoundary, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '@wakestone/contract/client'
import { getServer } from '@wakestone/contract/servers/servers-routes'
import type { Server } from '@wakestone/contract/servers/server'
import { panelState } from '@wakestone/contract/states'
import { canManageServer, canPowerServer, canUseConsole } from '@wakestone/contract/capabilities'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link, Navigate, Outlet, redirect, type ShouldRevalidateFunctionArgs, useLocation } from 'react-router'
import { renewSession } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { getServerAccess } from '@wakestone/contract/accounts/sharing-routes'
import { listUserServers } from '@wakestone/contract/accounts/users-routes'
import { prefetch } from '#app/api/prefetch.ts'
import { openServerStream, type ServerStream } from '#app/features/console/server-stream.ts'
import { createFilesRefresh } from '#app/features/servers/files-changed.ts'
import { keepOperation, operationsQuery } from '#app/features/servers/operations/operation-queries.ts'
import {
  findServerId,
  keepCapabilities,
  keepStatus,
  lastCrashQuery,
  serverIdQuery,
  serverQuery,
  statusQuery,
} from '#app/features/servers/server-queries.ts'
import { screensFor, serverScreenGroups, serverScreens } from '#app/features/servers/server-screens.ts'
import { serviceQuery } from '#app/features/servers/service-queries.ts'
import { firstStepsQuery } from '#app/features/session/first-steps-query.ts'
import { requireUser } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import type { Route } from './+types/layout'
import { ServerSkeleton } from './server-skeleton.tsx'
import classes from './server.module.css'
import type { ServerPage } from './use-server-page.ts'

export async function loader({ request, context, params: { identity } }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api, language } = context.get(webContext)
  const leaveTo = (page: 'server-not-found' | 'unauthorized-server') =>
    redirect(`/${language}/${page}?server=${encodeURIComponent(identity)}`)
  // What else fails here is asked again by the browser, which shows what went wrong in its place.
  const serverId = await findServerId(identity, api).catch(() => undefined)
  if (serverId === null) throw leaveTo('server-not-found')
  const unknown = { identity, serverId, screens: [], state: null }
  if (serverId === undefined) return unknown
  const found = await api(getServer, { params: { id: serverId } }).catch(refusalOf)
  if (typeof found === 'string') throw leaveTo(found)
  const query = { ...serverQuery(serverId, api), queryFn: () => found }
  if (found === null) return unknown
  const isOwner = found.owner_id === user.id
  const own = isOwner ? [serviceQuery(found.service_id, api), firstStepsQuery(api)] : []
  const shown = [operationsQuery(serverId, api), lastCrashQuery(serverId, api)]
  const screens = screensFor(user, found).map(({ path }) => path)
  return { identity, serverId, screens, state: await prefetch(query, ...own, ...shown) }
}

/** The browser keeps itself up to date: only another server is a reason to load again. */
export function shouldRevalidate({ currentParams, nextParams }: ShouldRevalidateFunctionArgs): boolean {
  return currentParams['identity'] !== nextParams['identity']
}

export const handle = {
  frame: ({ identity, serverId, screens }: { identity: string; serverId?: string; screens: string[] }, { t }) => ({
    ...(serverId === undefined ? {} : { serverId }),
    groups: serverScreenGroups.map((group) => ({
      title: t(`server.groups.${group}`),
      items: serverScreens
        .filter((screen) => screen.group === group && screens.includes(screen.path))
        .map(({ path, label, icon }) => ({ to: `/s/${identity}${path}`, label: t(label), icon })),
    })),
  }),
} satisfies FrameHandle

/** `/s/{identity}`: finds the server and holds what its screens share. */
export default function ServerLayout({ loaderData, params }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.state}>
      <FoundServer identity={params.identity} knownId={loaderData.serverId} />
    </HydrationBoundary>
  )
}

function FoundServer({ identity, knownId }: { identity: string; knownId: string | undefined }) {
  const { t } = useTranslation()
  const path = usePath()
  const { pathname } = useLocation()
  const found = useQuery({ ...serverIdQuery(identity), enabled: knownId === undefined })
  const id = knownId === undefined ? found.data : knownId
  const server = useQuery({ ...serverQuery(id ?? ''), enabled: id != null })
  const refusal = id === null ? 'server-not-found' : refusalOf(server.error)
  if (refusal !== null) return <Navigate to={path(`/${refusal}?server=${encodeURIComponent(identity)}`)} replace />
  if (server.data !== undefined) return <LoadedServer key={server.data.id} identity={identity} server={server.data} />
  const failure = found.error ?? server.error
  if (failure === null) return <ServerSkeleton screen={pathname.slice(`/s/${identity}`.length)} />
  return (
    <ErrorState
      error={failure}
      title={t('server.errorTitle')}
      onRetry={() => void (found.isError ? found.refetch() : server.refetch())}
    />
  )
}

/** The page for someone who may not see a server; null when it failed for another reason. */
function refusalOf(error: unknown): 'server-not-found' | 'unauthorized-server' | null {
  if (!(error instanceof ApiError)) return null
  if (error.status === 403) return 'unauthorized-server'
  return error.status === 404 || error.body.error === 'invalid_request' ? 'server-not-found' : null
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
      onAccess: (capabilities) => keepCapabilities(queries, serverId, capabilities),
      onOperation: (operation) => keepOperation(queries, operation),
      onFiles: createFilesRefresh(queries, serverId),
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
const isNotLost = () => false

/** Told by the server itself: the right was taken while the page was open. */
function hasLostAccess(stream: ServerStream | null): boolean {
  const connection = stream?.connection()
  return connection?.state === 'ended' && connection.because !== 'session'
}

/** In the place of a server's screens, at once when it is shared no longer. */
function LostAccess({ server }: { server: Server }) {
  const { t } = useTranslation()
  const path = usePath()
  const user = useSignedInUser()
  const queries = useQueryClient()
  useEffect(() => {
    queries.removeQueries(answersOf(getServerAccess, { id: server.id }))
    void makeStale(queries, answersOf(listUserServers, { id: user.id }))
  }, [queries, server.id, user.id])
  return (
    <StatusPage
      figure="cat"
      title={t('sharing.lostTitle', { server: server.name })}
      text={t('sharing.lostText', { name: server.owner_name })}
    >
      <LinkButton look="primary" to={path('/s')}>
        {t('notFound.servers')}
      </LinkButton>
    </StatusPage>
  )
}

/** Names the server where the sidebar is hidden. The overview already shows the name. */
function ServerName({ identity, name }: { identity: string; name: string }) {
  const { pathname } = useLocation()
  const own = `/s/${identity}`
  if (pathname === own || pathname === `${own}/`) return null
  return (
    <p className={classes.serverName}>
      <Link to={own}>{name}</Link>
    </p>
  )
}

function LoadedServer({ identity, server }: { identity: string; server: Server }) {
  const user = useSignedInUser()
  const stream = useStream(server.id)
  const isLive = useSyncExternalStore(
    stream?.subscribe ?? never,
    () => stream?.connection().state === 'live',
    isNotLive,
  )
  const isLost = useSyncExternalStore(stream?.subscribe ?? never, () => hasLostAccess(stream), isNotLost)
  const { data: status = server.status } = useQuery(statusQuery(server, isLive))
  const page: ServerPage = {
    identity,
    server,
    status,
    state: panelState(status),
    canPower: canPowerServer(user.user_capabilities, server.user_capabilities),
    canManage: canManageServer(user.user_capabilities, server.user_capabilities),
    canUseConsole: canUseConsole(user.user_capabilities, server.user_capabilities),
    stream,
  }
  if (isLost) return <LostAccess server={server} />
  return (
    <>
      <ServerName identity={identity} name={server.name} />
      <Outlet context={page} />
    </>
  )
}
