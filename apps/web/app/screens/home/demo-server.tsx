import type { DemoServer as Demo } from '@wakestone/contract/servers/demo-routes'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFlag } from '#app/features/flags/use-flag.ts'
import { useFormat } from '#app/i18n/use-format.ts'
import { Address } from '#app/ui/address.tsx'
import { NamePixels } from '#app/ui/name-pixels.tsx'
import { StateBadge } from '#app/ui/state-badge.tsx'
import classes from './home.module.css'
import { useDemoServer } from './use-demo-server.ts'

/**
 * A server that every visitor may join, as it is at this moment: it falls asleep and wakes before their eyes. Nothing
 * where the operator shows none, or where nobody could join it now.
 */
export function DemoServer() {
  const { t } = useTranslation()
  const label = useFlag('demo-server')
  const server = useDemoServer(label !== '')
  if (label === '' || server === null) return null
  return (
    <div className={classes['demo']}>
      <NamePixels name={label} size={42} />
      <div className={classes['demoWords']}>
        <div className={classes['demoHead']}>
          <strong>{server?.name ?? label}</strong>
          {server !== undefined && <StateBadge state={server.state} size="small" />}
        </div>
        {/* As tall as it will be, from the start. */}
        <span className={classes['demoDoor']}>
          {server === undefined ? t('home.demo.title') : <Address address={server.address} />}
          {server?.game_version != null && (
            <span>{t(`home.demo.versions.${server.game}`, { version: server.game_version })}</span>
          )}
        </span>
        <span aria-live="polite">{server !== undefined && <Doing server={server} />}</span>
      </div>
    </div>
  )
}

/** What happens to whoever joins now. */
function Doing({ server: { state, players, start_seconds } }: { server: Demo }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (state === 'running') return t('home.demo.running', { count: players.online })
  if (state === 'idle') return t('home.demo.idle')
  if (state === 'waking' || state === 'starting') return t('home.demo.waking')
  if (state !== 'sleeping') return t('home.demo.title')
  return start_seconds === null || start_seconds < 1
    ? t('home.demo.sleeping')
    : t('home.demo.sleepingFor', { duration: format.duration(start_seconds) })
}
