import type { AuditEvent } from '@wakestone/contract/ground/event'
import { migrationObstacles } from '@wakestone/contract/servers/migration'
import { packageObstacles } from '@wakestone/contract/servers/packages'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useErrorText } from '#app/ui/error-text.ts'
import { Badge, type BadgeColour, type BadgeShape } from '#app/ui/state-badge.tsx'
import { type Fact, readFacts, writtenReason } from './event-facts.ts'
import { FactValue, useDevice, usePlace } from './event-values.tsx'
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
  if (action === 'SERVER_COUNTDOWN' && data['restart'] === true) return 'announcedRestart'
  if (action === 'SERVER_COUNTDOWN_CANCEL' && data['restart'] === true) return 'cancelledRestart'
  if (action === 'SERVER_PLAYER_ACTION' && isPlayerAction(data['what'])) return `player_${data['what']}` as const
  return null
}

const playerActions = ['kick', 'message', 'teleport', 'game_mode'] as const
const isPlayerAction = (what: unknown): what is (typeof playerActions)[number] =>
  playerActions.some((known) => known === what)

/** What happened, in the visitor's words. That a crash is no success needs no saying. */
export function useEventName() {
  const { t } = useTranslation()
  return (event: AuditEvent) => {
    const name = t(`events.actions.${askedFor(event) ?? event.action}`)
    return event.success || event.action.includes('CRASHED') ? name : t('events.failed', { name })
  }
}

export function EventName({ event }: { event: AuditEvent }) {
  return <>{useEventName()(event)}</>
}

const briefFacts = 3
const isTelling = ({ value }: Fact) => !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)

/** The most telling of what is known beyond the name, in one line; the rest is on the event's own page. */
export function EventBrief({ event }: { event: AuditEvent }) {
  const { t } = useTranslation()
  const facts = readFacts(event.action, event.data)
  const place = usePlace()(facts)
  const device = useDevice()(facts)
  const executor = facts.actor ?? event.executor?.username
  const parts = [
    ...(executor === undefined ? [] : [{ key: 'executor', content: t('events.by', { name: executor }) }]),
    ...(facts.apiKey === undefined ? [] : [{ key: 'apiKey', content: t('events.byKey', { key: facts.apiKey }) }]),
    ...(event.person === null ? [] : [{ key: 'person', content: event.person.username }]),
    ...(place === undefined ? [] : [{ key: 'place', content: place }]),
    ...(device === undefined ? [] : [{ key: 'device', content: device }]),
    ...facts.reasons.map((reason) => ({ key: reason, content: t(`events.reasons.${reason}`) })),
    // Numbers of things lead nowhere from here; they are on the event's own page.
    ...facts.named
      .filter(isTelling)
      .slice(0, briefFacts)
      .map((fact) => ({
        key: fact.name,
        content: (
          <>
            {/* How somebody came in says so by itself. */}
            {fact.name !== 'method' && t(`events.facts.${fact.name}`)} <FactValue fact={fact} />
          </>
        ),
      })),
  ]
  if (event.error === null && parts.length === 0) return null
  return (
    <div className={classes['details']}>
      {event.error !== null && <EventError error={event.error} />}
      {parts.map(({ key, content }) => (
        <span key={key}>{content}</span>
      ))}
    </div>
  )
}

export function EventError({ error }: { error: NonNullable<AuditEvent['error']> }) {
  const { t } = useTranslation()
  const { text } = useErrorText(error.code)
  const inWords = reasonInWords(t, error)
  const written = inWords === undefined ? writtenReason(error) : undefined
  return (
    <span className={classes['error']}>
      {text} {inWords} {written !== undefined && <code>{written}</code>}
    </span>
  )
}

/** Reasons that have words of their own where the same is refused on the spot. */
function reasonInWords(t: ReturnType<typeof useTranslation>['t'], { code, fields }: NonNullable<AuditEvent['error']>) {
  const reason = fields?.['reason']
  if (code === 'server_cannot_migrate') {
    const known = migrationObstacles.find((one) => one === reason)
    return known && `${t(`moving.why.${known}`)}.`
  }
  const known = code === 'kloceg_install_failed' ? packageObstacles.find((one) => one === reason) : undefined
  // These two are told by what they are about, which is not at hand here.
  return known && known !== 'conflicts' && known !== 'needed_by_others' ? t(`packages.obstacles.${known}`) : undefined
}
