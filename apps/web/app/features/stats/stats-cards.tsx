import { useQuery } from '@tanstack/react-query'
import { getStatsHistory } from '@wakestone/contract/servers/history-routes'
import { useEffect, useSyncExternalStore } from 'react'
import { queryOf } from '#app/api/query-of.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import type { StatsHistory } from './stats-history.ts'
import { StatCard } from './stat-card.tsx'
import classes from './stats.module.css'

type Props = {
  serverId: string
  stream: { stats: StatsHistory; statsVersion: () => number; subscribe: (listener: () => void) => () => void }
  /** Whether a game process lives: what was true before it ended is not shown as true now. */
  isUp: boolean
}

const zero = () => 0

/** Processor, memory, ticks, disk, network and players over the last ten minutes. */
export function StatsCards({ serverId, stream, isUp }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const version = useSyncExternalStore(stream.subscribe, stream.statsVersion, zero)
  const history = stream.stats
  const now = history.latest()
  usePast(serverId, { history, isLive: now !== null })
  const live = isUp ? now : null
  const instead = t(isUp ? 'server.stats.notYet' : 'server.stats.off')
  // Six empty graphs would say the same thing six times.
  if (!isUp && history.times().length === 0) return <p className={classes.off}>{t('server.stats.offYet')}</p>
  const shared = { times: history.times(), version, instead, over: t('server.stats.title') }
  const rate = (bytes: number) => t('server.stats.perSecond', { size: format.bytes(bytes) })
  const share = (cores: number) => format.percent(Math.round((cores / (now?.cpuLimit ?? 1)) * 100) / 100)
  const ofLimit = (limit: number | null | undefined) =>
    limit == null ? null : t('server.stats.of', { limit: format.bytes(limit) })
  const tellsTicks = history.column('tps').some((value) => value !== null)
  return (
    <section aria-label={t('server.stats.title')} className={classes.cards}>
      <StatCard
        {...shared}
        name={t('server.stats.cpu')}
        value={live === null ? null : share(live.cpu)}
        aside={live?.cpuLimit == null ? null : t('server.stats.cores', { count: live.cpuLimit })}
        columns={[history.column('cpu')]}
        colours={['lantern']}
        limit={now?.cpuLimit ?? null}
        write={share}
      />
      <StatCard
        {...shared}
        name={t('server.stats.memory')}
        value={live === null ? null : format.bytes(live.memory)}
        aside={ofLimit(live?.memoryLimit)}
        columns={[history.column('memory')]}
        colours={['dusk']}
        limit={now?.memoryLimit ?? null}
        scale="bytes"
        write={format.bytes}
      />
      {tellsTicks && (
        <StatCard
          {...shared}
          name={t('server.stats.tps')}
          value={live?.tps == null ? null : format.number(live.tps, 1)}
          aside={live?.tickMs == null ? null : t('server.stats.perTick', { ms: format.number(live.tickMs, 1) })}
          columns={[history.column('tps')]}
          colours={['moss']}
          limit={20}
          write={(value) => format.number(value, 1)}
        />
      )}
      <StatCard
        {...shared}
        name={t('server.stats.disk')}
        value={now === null ? null : format.bytes(now.disk)}
        aside={ofLimit(now?.diskLimit)}
        columns={[history.column('disk')]}
        colours={['muted']}
        limit={now?.diskLimit ?? null}
        scale="bytes"
        write={format.bytes}
      />
      <StatCard
        {...shared}
        name={t('server.stats.network')}
        value={live === null ? null : t('server.stats.networkIn', { rate: rate(live.networkIn) })}
        aside={live === null ? null : t('server.stats.networkOut', { rate: rate(live.networkOut) })}
        columns={[history.column('networkIn'), history.column('networkOut')]}
        colours={['dusk', 'lantern']}
        limit={1024}
        scale="bytes"
        write={rate}
      />
      <StatCard
        {...shared}
        name={t('server.stats.players')}
        value={live === null ? null : format.number(live.players)}
        aside={live === null ? null : t('server.stats.of', { limit: format.number(live.playersMax) })}
        columns={[history.column('players')]}
        colours={['moss']}
        limit={Math.min(now?.playersMax ?? 4, 4)}
        scale="whole"
        write={(value) => format.number(value)}
      />
      <p className={classes.since}>
        {t('server.stats.lastTen')}
        {!tellsTicks && ` ${t('server.stats.notReported', { figure: t('server.stats.tps') })}`}
      </p>
    </section>
  )
}

/** Loaded once, with the first live sample: graphs start with the minutes before it. */
function usePast(serverId: string, { history, isLive }: { history: StatsHistory; isLive: boolean }) {
  const { data } = useQuery(
    queryOf(
      getStatsHistory,
      { params: { id: serverId }, query: { span: 'hour' } },
      { enabled: isLive, staleTime: Infinity },
    ),
  )
  useEffect(() => {
    if (data !== undefined && isLive) history.prepend(data)
  }, [data, history, isLive])
}
