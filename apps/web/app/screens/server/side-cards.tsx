import type { Server, ServerStatus } from '@wakestone/contract/servers/server'
import { freeRenewalDays, type Service } from '@wakestone/contract/sales/service'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useTranslation } from '#app/i18n/texts.tsx'
import { freeRenewalOpens } from '#app/features/servers/free-renewal.ts'
import { engineName, planName } from '#app/features/servers/server-names.ts'
import { clustersQuery } from '#app/features/servers/server-queries.ts'
import { serviceQuery } from '#app/features/servers/service-queries.ts'
import { useClusterName } from '#app/features/servers/use-cluster-name.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useFormat } from '#app/i18n/use-format.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { NamePixels } from '#app/ui/name-pixels.tsx'
import { describeTimeLeft, keptUntil } from '#app/features/servers/time-left.ts'
import { LimitsPending } from './limits-pending.tsx'
import classes from './server.module.css'
import { WithdrawnNote } from './withdrawn-note.tsx'

const SHOWN_PLAYERS = 12

/** Who is on. */
export function PlayersCard({
  players,
  isLimited,
  isUp,
  path,
}: {
  players: ServerStatus['players']
  /** By the plan; otherwise how many fit is a setting of the game. */
  isLimited: boolean
  isUp: boolean
  /** Of the screen of players. */
  path: string
}) {
  const { t } = useTranslation()
  const shown = players.names.slice(0, SHOWN_PLAYERS)
  const more = players.online - shown.length
  return (
    <Card
      title={t('server.players.title')}
      beside={
        isUp && (
          <span className="mono">{players.max === null ? players.online : `${players.online} / ${players.max}`}</span>
        )
      }
    >
      {players.online === 0 || !isUp ? (
        <p className={classes.muted}>{isUp ? t('server.players.none') : t('server.players.off')}</p>
      ) : (
        <ul className={classes.players}>
          {shown.map((name) => (
            <li key={name}>
              <NamePixels name={name} size={26} />
              <span>{name}</span>
            </li>
          ))}
          {more > 0 && <li className={classes.muted}>{t('server.players.more', { count: more })}</li>}
        </ul>
      )}
      {isUp && !isLimited && players.max !== null && (
        <p className={classes.gameSetting}>{t('server.players.gameSetting', { limit: players.max })}</p>
      )}
      {players.online > 0 && isUp && (
        <p className={classes.manage}>
          <Link to={path}>{t('server.players.manage')}</Link>
        </p>
      )}
    </Card>
  )
}

/** The plan, how long it is paid for, and what it costs with its VAT. */
export function PlanCard({ server, identity }: { server: Server; identity: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const user = useSignedInUser()
  const { limits } = server.parameters
  const isOwner = server.owner_id === user.id
  const { data: service } = useQuery({ ...serviceQuery(server.service_id), enabled: isOwner })
  const left = describeTimeLeft(server.created_at, server.expires, Date.now())
  const isFree = server.product_id === 'FREE'
  const opens = isFree && server.expires !== null ? freeRenewalOpens(server.expires) : 0
  // What cannot be done yet is not offered.
  const keptFrom = opens > Date.now() ? opens : null
  return (
    <Card title={planName(server.product_id)} {...(server.auto_renew ? { beside: t('server.plan.renews') } : {})}>
      <div className={classes.planLine}>
        <strong>
          {left.kind === 'never'
            ? t('server.plan.never')
            : left.kind === 'expired'
              ? t(server.withdrawn_at === null ? 'server.plan.expired' : 'state.withdrawn')
              : left.days === 0
                ? t('server.plan.lastDay')
                : t('server.plan.daysLeft', { count: left.days })}
        </strong>
        {server.expires !== null && server.withdrawn_at === null && (
          <span className={classes.muted}>
            <DateTime value={server.expires} dateOnly={left.kind !== 'left' || left.days > 0} />
          </span>
        )}
      </div>
      {left.kind !== 'never' && (
        <div className={classes.track} aria-hidden>
          <div
            data-low={left.kind === 'expired' || left.days < 3 || undefined}
            style={{ width: `${left.kind === 'expired' ? 0 : left.share * 100}%` }}
          />
        </div>
      )}
      {server.cancel_at_end && server.expires !== null && left.kind === 'left' && (
        <p className={classes.ends}>{t('server.plan.ends', { date: format.dateTime(server.expires) })}</p>
      )}
      <WithdrawnNote className={classes.ends} />
      {left.kind === 'expired' && server.expires !== null && server.withdrawn_at === null && (
        <p className={classes.ends}>
          {t('server.plan.keptUntil', { date: format.date(keptUntil(server, server.expires)) })}
        </p>
      )}
      {!isOwner && <p className={classes.muted}>{t('sharing.paidBy', { name: server.owner_name })}</p>}
      {isOwner && isFree && (
        <p className={classes.muted}>
          {keptFrom === null
            ? t('server.plan.free', { days: freeRenewalDays })
            : t('server.plan.freeFrom', { date: format.dateTime(keptFrom) })}
        </p>
      )}
      {service?.renewal != null && <RenewalLine {...service.renewal} />}
      <p className={classes.muted}>
        {t('server.plan.of', {
          memory: format.bytes(limits.memory),
          storage: format.bytes(limits.storage),
          players:
            limits.players === null ? t('create.playersUnlimited') : t('create.players', { count: limits.players }),
        })}
      </p>
      <LimitsPending />
      {left.kind !== 'never' && isOwner && (
        <div className={classes.planRenew}>
          {keptFrom === null && <LinkButton to={`/s/${identity}/payments/renew`}>{t('server.plan.renew')}</LinkButton>}
          <LinkButton to={`/s/${identity}/payments/upgrade`}>{t('plans.change')}</LinkButton>
        </div>
      )}
    </Card>
  )
}

/** What another period costs with all add-ons, and when it comes by itself. */
function RenewalLine({ cost, automatic_at: at }: NonNullable<Service['renewal']>) {
  const { t } = useTranslation()
  const format = useFormat()
  const price = format.money(cost.gross_price)
  const tax = t('money.vatWithin', {
    tax: format.money(cost.tax),
    rate: format.percent(cost.country_tax_rate.vat_rate),
  })
  return (
    <p className={classes.muted}>
      {at === null
        ? t('server.plan.costs', { price, period: t(`create.periods.${cost.period}`) })
        : t('server.plan.renewsOn', { price, date: format.date(at) })}
      {`, ${tax}`}
    </p>
  )
}

/** What the server is made of. */
export function AboutCard({ server }: { server: Server }) {
  const { t } = useTranslation()
  const { data: clusters } = useQuery(clustersQuery())
  const clusterName = useClusterName()
  const cluster = clusters?.find((candidate) => candidate.id === server.cluster_id)
  return (
    <Card title={t('server.about.title')}>
      <KeyValueList
        rows={[
          {
            key: t('server.about.engine'),
            value: `${engineName(server.parameters.engine)} ${server.parameters.engine_version}`,
          },
          {
            key: t('server.about.cluster'),
            // Until it is known: an id would be there for a moment, and then something else.
            value: cluster === undefined ? '…' : clusterName(cluster),
          },
          { key: t('server.about.created'), value: <DateTime value={server.created_at} dateOnly /> },
        ]}
      />
    </Card>
  )
}
