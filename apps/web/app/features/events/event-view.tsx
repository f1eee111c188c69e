import { useQuery } from '@tanstack/react-query'
import { IconArrowLeft, IconShieldExclamation } from '@tabler/icons-react'
import { type AuditEvent, isUserAction } from '@wakestone/contract/ground/event'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { CrashWords } from '#app/features/crash/crash-words.tsx'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { CodeBlock } from '#app/ui/code-block.tsx'
import { ConsoleSurface } from '#app/ui/console-surface.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { readFacts } from './event-facts.ts'
import { EventError, EventName, LevelBadge } from './event-parts.tsx'
import { eventQuery } from './event-queries.ts'
import { FactValue, useDevice, usePlace } from './event-values.tsx'
import classes from './events.module.css'
import { PackageTitles } from './package-titles.tsx'

/** A screen of one event. `path` is that of the list it is in. */
export function EventView({ id, path }: { id: string; path: string }) {
  const { t } = useTranslation()
  const user = useSignedInUser()
  const { data: event, error, refetch } = useQuery(eventQuery(id))
  return (
    <>
      <Link to={path} className={classes['back']}>
        <IconArrowLeft size={16} aria-hidden="true" />
        {t('events.back')}
      </Link>
      {event !== undefined ? (
        <>
          <PageHeader
            title={<EventName event={event} />}
            beside={<LevelBadge level={event.level} />}
            text={<DateTime value={event.created_at} />}
          />
          <div className={classes['sections']}>
            {event.resource_id === user.id && isAboutAccess(event) && <NotMe />}
            {event.resource_type === 'server' ? (
              <PackageTitles serverId={event.resource_id} events={[event]}>
                <Details event={event} />
              </PackageTitles>
            ) : (
              <Details event={event} />
            )}
          </div>
        </>
      ) : error !== null ? (
        <ErrorState error={error} title={t('events.oneErrorTitle')} onRetry={() => void refetch()} />
      ) : (
        <Card>
          <Skeleton width={220} height={26} />
          <Skeleton height={180} />
        </Card>
      )}
    </>
  )
}

/** What whoever got into an account would have left behind. */
const isAboutAccess = ({ action }: AuditEvent) =>
  isUserAction(action) &&
  /LOGIN|NEW_DEVICE|SESSION_STOLEN|SOCIAL|PASSWORD|EMAIL|TOTP|PASSKEY|RECOVERY|API_KEY|DELETION/.test(action)

/** The way out for somebody who was not the one: other devices out, another password. */
function NotMe() {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <Card className={classes['notMe'] ?? ''}>
      <IconShieldExclamation size={24} aria-hidden="true" />
      <div>
        <h2>{t('events.notMe')}</h2>
        <p>{t('events.notMeText')}</p>
        <div className={classes['ways']}>
          <LinkButton look="primary" to={path('/account/settings/security#password')}>
            {t('events.changePassword')}
          </LinkButton>
          <LinkButton to={path('/account/settings/security#devices')}>{t('events.checkDevices')}</LinkButton>
        </div>
      </div>
    </Card>
  )
}

function Details({ event }: { event: AuditEvent }) {
  const { t } = useTranslation()
  const facts = readFacts(event.action, event.data)
  const place = usePlace()(facts)
  const device = useDevice()(facts)
  const row = (key: string, value: ReactNode) => (value === undefined ? [] : [{ key, value }])
  const rows = [
    ...row(
      t('events.outcome'),
      <span className={classes['outcome']} data-success={event.success}>
        {event.success ? t('events.succeeded') : t('events.notSucceeded')}
      </span>,
    ),
    ...row(t('events.executor'), event.executor?.username),
    ...row(t('events.actor'), facts.actor),
    ...row(t('events.apiKey'), facts.apiKey === undefined ? undefined : <code>{facts.apiKey}…</code>),
    ...row(t('events.person'), event.person?.username),
    ...row(t('events.place'), place),
    ...row(t('events.device'), device),
    ...facts.named.flatMap((fact) => row(t(`events.facts.${fact.name}`), <FactValue key={fact.name} fact={fact} />)),
    ...facts.changes.flatMap(({ name, old, now }) =>
      row(name, <FactValue fact={{ name: 'changed', value: now, old }} />),
    ),
    ...row(t('events.id'), <code>{event.id}</code>),
  ]
  return (
    <>
      <Card>
        {event.error !== null && (
          <p className={classes['fault']}>
            <EventError error={event.error} />
          </p>
        )}
        {facts.crash !== undefined && <CrashWords crash={facts.crash} />}
        {facts.reasons.slice(facts.crash === undefined ? 0 : 1).map((reason) => (
          <p key={reason} className={classes['fault']}>
            {t(`events.reasons.${reason}`)}
          </p>
        ))}
        <KeyValueList rows={rows} />
      </Card>
      {facts.lists.length > 0 && (
        <Card title={t('events.files')}>
          <CodeBlock name={t('events.files')} text={facts.lists.join('\n')} />
        </Card>
      )}
      {facts.lines.length > 0 && (
        <Card title={t('events.lastLines')}>
          <ConsoleSurface label={t('events.lastLines')} lines={facts.lines} />
        </Card>
      )}
    </>
  )
}
