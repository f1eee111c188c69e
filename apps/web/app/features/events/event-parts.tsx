import type { AuditEvent } from '@wakestone/contract/event'
import { useTranslation } from '#app/i18n/texts.tsx'
import { ConsoleSurface } from '#app/ui/console-surface.tsx'
import { useErrorText } from '#app/ui/error-text.ts'
import { Badge, type BadgeColour, type BadgeShape } from '#app/ui/state-badge.tsx'
import { readFacts } from './event-facts.ts'
import classes from './events.module.css'

type Level = '10' | '20' | '30' | '40' | '50'

const looks: Record<Level, { colour: BadgeColour; shape: BadgeShape }> = {
  '10': { colour: 'muted', shape: 'ring' },
  '20': { colour: 'muted', shape: 'filled' },
  '30': { colour: 'lantern', shape: 'triangle' },
  '40': { colour: 'ember', shape: 'triangle' },
  '50': { colour: 'ember', shape: 'square' },
}

function levelOf(value: number): Level {
  return value >= 50 ? '50' : value >= 40 ? '40' : value >= 30 ? '30' : value >= 20 ? '20' : '10'
}

/** How grave an event is: a word, a colour and a shape. */
export function LevelBadge({ level }: { level: number }) {
  const { t } = useTranslation()
  const known = levelOf(level)
  return (
    <Badge size="small" {...looks[known]}>
      {t(`events.levels.${known}`)}
    </Badge>
  )
}

/** A restart is recorded as a start and a kill as a stop; what was asked for stands in the data. */
function askedFor({ action, data }: AuditEvent) {
  if (action === 'SERVER_GAME_START' && data['restart'] === true) return 'restart'
  if (action === 'SERVER_GAME_STOP' && data['kill'] === true) return 'kill'
  if (action === 'SERVER_GAME_START' && data['autostart'] === true) return 'autostart'
  if (action === 'SERVER_GAME_STOP' && data['game'] === 'kept') return 'noAutostart'
  return null
}

/** What happened, in the visitor's words. That a crash is no success needs no saying. */
export function EventName({ event }: { event: AuditEvent }) {
  const { t } = useTranslation()
  const name = t(`events.actions.${askedFor(event) ?? event.action}`)
  return <>{event.success || event.action.includes('CRASHED') ? name : t('events.failed', { name })}</>
}

/** What is known beyond the name: the error and the reasons in words, the facts; last lines unfold. */
export function EventDetails({ event }: { event: AuditEvent }) {
  const { t } = useTranslation()
  const { named, reasons, lines } = readFacts(event.data)
  if (event.error === null && named.length === 0 && reasons.length === 0 && lines.length === 0) return null
  return (
    <div className={classes.details}>
      {event.error !== null && <EventError error={event.error} />}
      {reasons.map((reason) => (
        <span key={reason} className={classes.reason}>
          {t(`events.reasons.${reason}`)}
        </span>
      ))}
      {named.map(({ name, value }) => (
        <span key={name}>
          {t(`events.facts.${name}`)} <code>{value}</code>
        </span>
      ))}
      {lines.length > 0 && (
        <details>
          <summary>{t('events.lastLines')}</summary>
          <ConsoleSurface label={t('events.lastLines')} lines={lines} />
        </details>
      )}
    </div>
  )
}

function EventError({ error }: { error: NonNullable<AuditEvent['error']> }) {
  const { text } = useErrorText(error.code)
  const reason = error.fields?.['reason']
  return (
    <span className={classes.error}>
      {text} {typeof reason === 'string' && <code>{reason}</code>}
    </span>
  )
}
