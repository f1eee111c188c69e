import { useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { ConsolePanel } from '#app/features/console/console-panel.tsx'
import type { ServerStream } from '#app/features/console/server-stream.ts'
import { LatestEventsCard } from '#app/features/events/latest-events-card.tsx'
import { FreePlayCard } from '#app/features/servers/free-play/free-play-card.tsx'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { isGameUp } from '#app/features/power/power-refusal.ts'
import { OperationsCard } from '#app/features/servers/operations/operations-card.tsx'
import { HistoryCards } from '#app/features/stats/history-cards.tsx'
import { SpanPicker } from '#app/features/stats/span-picker.tsx'
import { StatsCards } from '#app/features/stats/stats-cards.tsx'
import { useStatsSpan } from '#app/features/stats/stats-span.ts'
import { AttackNotice } from './attack-notice.tsx'
import { CrashNotice } from './crash-notice.tsx'
import { FirstStepsCard } from './first-steps-card.tsx'
import { ServerHeader } from './server-header.tsx'
import { ConsoleSkeleton, FiguresSkeleton } from './server-skeleton.tsx'
import { AboutCard, PlanCard, PlayersCard } from './side-cards.tsx'
import { SleepCard } from './sleep-card.tsx'
import classes from './server.module.css'
import { type ServerPage, useServerPage } from './use-server-page.ts'

/** `/s/{identity}`: what the server does now, its console, its figures. */
export default function ServerOverview() {
  const page = useServerPage()
  const { server, status, state, stream, identity } = page
  const isUp = isGameUp(state)
  const eventsPath = `/s/${identity}/events`
  return (
    <>
      <PageMeta page="server" title={server.name} />
      <ServerHeader {...page} />
      <div className={classes.columns}>
        <div className={classes.main}>
          <OperationsCard serverId={server.id} canManage={page.canManage} />
          {(state === 'sleeping' || state === 'waking') && (
            <SleepCard serverId={server.id} status={status} state={state} />
          )}
          {server.product_id === 'FREE' && <FreePlayCard server={{ ...server, status }} canPower={page.canPower} />}
          {page.canManage && <AttackNotice serverId={server.id} settingsPath={`/s/${identity}/settings`} />}
          <CrashNotice page={page} eventsPath={eventsPath} />
          {stream === null ? <ConsoleSkeleton /> : <Console page={page} stream={stream} />}
          <Figures page={page} isUp={isUp} />
        </div>
        <aside className={classes.side}>
          {page.canManage && state !== 'expired' && <FirstStepsCard {...page} />}
          <PlayersCard
            players={status.players}
            isLimited={server.parameters.limits.players !== null}
            isUp={isUp}
            path={`/s/${identity}/players`}
          />
          <PlanCard server={server} identity={identity} />
          <LatestEventsCard serverId={server.id} state={state} path={eventsPath} />
          <AboutCard server={server} />
        </aside>
      </div>
    </>
  )
}

/** What the server uses now, or has used over a longer time. */
function Figures({ page: { server, stream }, isUp }: { page: ServerPage; isUp: boolean }) {
  const span = useStatsSpan()
  return (
    <>
      <SpanPicker span={span} />
      {span !== 'now' ? (
        <HistoryCards serverId={server.id} limits={server.parameters.limits} span={span} />
      ) : stream === null ? (
        <FiguresSkeleton />
      ) : (
        <StatsCards serverId={server.id} stream={stream} isUp={isUp} />
      )}
    </>
  )
}

function Console({ page, stream }: { page: ServerPage; stream: ServerStream }) {
  const { t } = useTranslation()
  const connection = useSyncExternalStore(stream.subscribe, stream.connection, stream.connection)
  const isConnected = connection.state === 'live' || connection.state === 'connecting'
  const closedBecause = !page.canUseConsole
    ? t('console.closed.capability')
    : !isConnected
      ? t('console.closed.disconnected')
      : isGameUp(page.state)
        ? null
        : page.state === 'preparing'
          ? t('server.because.preparing')
          : t('console.closed.notRunning')
  return (
    <ConsolePanel serverId={page.server.id} stream={stream} isUp={isGameUp(page.state)} closedBecause={closedBecause} />
  )
}
