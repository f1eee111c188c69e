import type { AuditEvent } from '@wakestone/contract/event'
import { useTranslation } from 'react-i18next'
import { Badge, type BadgeColour, type BadgeShape } from '#app/ui/state-badge.tsx'
import { useErrorText } from '#app/ui/error-text.ts'
import classes from './events.module.css'

type Level = '10' | '20' | '30' | '40' | '50'

const looks: Record<Level, { colour: BadgeColour; shape: BadgeShape }> = {
  '10': { colour: 'muted', shape: 'ring' },
  '20': { colour: 'moss', shape: 'filled' },
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

/** What happened, in the visitor's words. */
export function EventName({ event }: { event: AuditEvent }) {
  const { t } = useTranslation()
  return (
    <>
      {t(`events.actions.${event.action}`)}
      {!event.success && <span className={classes.failed}> {t('events.failed')}</span>}
    </>
  )
}

/** A value of an event's data as text: plain ones as they are, lists joined. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join('\n')
  if (value === null || typeof value !== 'object') return String(value)
  return JSON.stringify(value)
}

/** What is known beyond the name: the error in words, then each fact. Long ones, such as last lines, unfold. */
export function EventDetails({ event }: { event: AuditEvent }) {
  const { t } = useTranslation()
  const facts = Object.entries(event.data).filter(
    ([, value]) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  )
  const short = facts.filter(([, value]) => !Array.isArray(value) && typeof value !== 'object')
  const long = facts.filter(([, value]) => Array.isArray(value) || typeof value === 'object')
  if (facts.length === 0 && event.error === null) return <span className={classes.none}>–</span>
  return (
    <div className={classes.details}>
      {event.error !== null && <EventError code={event.error.code} />}
      {short.map(([name, value]) => (
        <span key={name} className={classes.fact}>
          <span className={classes.factName}>{name}</span> {textOf(value)}
        </span>
      ))}
      {long.length > 0 && (
        <details>
          <summary>{t('events.more')}</summary>
          {long.map(([name, value]) => (
            <pre key={name} tabIndex={0}>
              <span className={classes.factName}>{name}</span>
              {'\n'}
              {textOf(value)}
            </pre>
          ))}
        </details>
      )}
    </div>
  )
}

function EventError({ code }: { code: string }) {
  const { text } = useErrorText(code)
  return <span className={classes.error}>{text}</span>
}
