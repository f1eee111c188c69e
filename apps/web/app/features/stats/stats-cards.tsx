import { useSyncExternalStore } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import type { StatsHistory } from './stats-history.ts'
import { StatCard } from './stat-card.tsx'
import classes from './stats.module.css'

type Props = {
  stream: { stats: StatsHistory; statsVersion: () => number; subscribe: (listener: () => void) => () => void }
  /** Whether a game process lives: what was true before it ended is not shown as true now. */
  isUp: boolean
}

const zero = () => 0
/** Graphs show ten minutes; nobody keeps those from before this page was opened. */
const KEPT_SECONDS = 590

/** Processor, memory, ticks, disk, network and players over the last ten minutes. */
export function StatsCards({ stream, isUp }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const version = useSyncExternalStore(stream.subscribe, stream.statsVersion, zero)
  const history = stream.stats
  const now = history.latest()
  const live = isUp ? now : null
  const off = t('server.stats.off')
  // Six empty graphs would say the same thing six times.
  if (!isUp && history.times().length === 0) return <p className={classes.off}>{t('server.stats.offYet')}</p>
  const [oldest = 0, newest = 0] = [history.times()[0], history.times().at(-1)]
  const shared = { times: history.times(), version, instead: off, over: t('server.stats.title') }
  const rate = (bytes: number) => t('server.stats.perSecond', { size: format.bytes(bytes) })
  const share = (cores: number) => format.percent(Math.round((cores / (now?.cpuLimit ?? 1)) * 100) / 100)
  const ofLimit = (limit: number | null | undefined) =>
    limit == null ? null : t('server.stats.of', { limit: format.bytes(limit) })
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
        write={format.bytes}
      />
      <StatCard
        {...shared}
        name={t('server.stats.tps')}
        value={live?.tps == null ? null : format.number(live.tps, 1)}
        instead={live === null ? off : t('server.stats.unknown')}
        isSaid={live !== null}
        aside={live?.tickMs == null ? null : t('server.stats.perTick', { ms: format.number(live.tickMs, 1) })}
        columns={[history.column('tps')]}
        colours={['moss']}
        limit={20}
        write={(value) => format.number(value, 1)}
      />
      <StatCard
        {...shared}
        name={t('server.stats.disk')}
        value={now === null ? null : format.bytes(now.disk)}
        aside={ofLimit(now?.diskLimit)}
        columns={[history.column('disk')]}
        colours={['muted']}
        limit={now?.diskLimit ?? null}
        write={format.bytes}
      />
      <StatCard
        {...shared}
        name={t('server.stats.network')}
        value={live === null ? null : rate(live.networkIn)}
        aside={live === null ? null : t('server.stats.networkOut', { rate: rate(live.networkOut) })}
        columns={[history.column('networkIn'), history.column('networkOut')]}
        colours={['dusk', 'lantern']}
        limit={1024}
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
        write={(value) => format.number(value)}
      />
      {newest - oldest < KEPT_SECONDS && <p className={classes.since}>{t('server.stats.sinceOpened')}</p>}
    </section>
  )
}
