import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './servers.module.css'

const width = 96
const height = 26

/** With fewer hours the graph says nothing. */
const leastHours = 3

/** The most players in each of the last hours. Renders nothing while hardly any hours have been measured. */
export function Sparkline({ players }: { players: readonly (number | null)[] | undefined }) {
  const { t } = useTranslation()
  const known = players?.filter((value) => value !== null) ?? []
  if (players === undefined || known.length < leastHours) return null
  const most = Math.max(...known)
  const bar = width / players.length
  const label = t('servers.playersOfDay', { most })
  return (
    <svg className={classes.sparkline} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <title>{label}</title>
      {players.map((value, index) => {
        // An hour in which it was up and empty is a line; one in which it was off is nothing.
        const tall = value === null ? 0 : Math.max(1.5, (value / Math.max(most, 4)) * height)
        return (
          <rect key={index} x={index * bar} y={height - tall} width={bar - 1} height={tall} data-empty={value === 0} />
        )
      })}
    </svg>
  )
}
