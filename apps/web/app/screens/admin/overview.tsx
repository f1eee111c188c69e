import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { healthQuery, overviewQuery } from '#app/features/admin/server-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import classes from './overview.module.css'

type Tile = {
  key: 'attention' | 'servers' | 'free' | 'payments' | 'tickets' | 'users'
  to?: string
  value: string
  text: string
  /** Somebody should look at it. */
  isBad?: boolean
}

/** Key figures; each links to its page. */
export function Overview() {
  const { t } = useTranslation()
  const path = usePath()
  const { data, error } = useQuery(overviewQuery())
  const tiles = useTiles()
  if (data === undefined)
    return (
      <div className={classes['tiles']}>
        {error === null ? <Skeleton height={112} /> : <ErrorNote error={error} title={t('adminOverview.failed')} />}
      </div>
    )
  return (
    <ul className={classes['tiles']} aria-label={t('adminOverview.title')}>
      {tiles.map(({ key, to, value, text, isBad = false }) => {
        const name = t(`adminOverview.${key}`)
        return (
          <li key={key} className={classes['tile']} data-bad={isBad}>
            <h2>{to === undefined ? name : <Link to={path(to)}>{name}</Link>}</h2>
            <strong>{value}</strong>
            <p>{text}</p>
          </li>
        )
      })}
    </ul>
  )
}

function useTiles(): Tile[] {
  const { t } = useTranslation()
  const format = useFormat()
  const overview = useQuery(overviewQuery()).data
  // Health takes longer to collect, so the page does not wait for it.
  const health = useQuery(healthQuery()).data
  if (overview === undefined) return []
  const { servers, free, users, payments, tickets } = overview
  const taken = payments.taken.map((sum) => format.money(sum)).join(' + ')
  return [
    {
      key: 'servers',
      to: '/admin/servers',
      value: t('adminOverview.up', { up: servers.up, all: servers.all }),
      text: [
        t('adminOverview.asleep', { count: servers.asleep }),
        t('adminOverview.players', { count: servers.players }),
        ...(servers.crashed > 0 ? [t('adminOverview.crashed', { count: servers.crashed })] : []),
      ].join(' · '),
      isBad: servers.crashed > 0,
    },
    {
      key: 'free',
      to: '/admin/clusters',
      value: format.number(free.taken),
      text: t('adminOverview.waiting', { count: free.waiting }),
    },
    {
      key: 'payments',
      to: payments.failed > 0 ? '/admin/payments?status=FAILED' : '/admin/payments',
      value: taken === '' ? t('adminOverview.nothing') : taken,
      text: [
        t('adminOverview.completed', { count: payments.completed }),
        t('adminOverview.failedPayments', { count: payments.failed }),
      ].join(' · '),
    },
    {
      key: 'tickets',
      to: '/admin/tickets',
      value: format.number(tickets.open),
      text: t('adminOverview.overdue', { count: tickets.overdue }),
      isBad: tickets.overdue > 0,
    },
    {
      key: 'attention',
      to: '/admin/health',
      value: health === undefined ? '…' : format.number(health.troubles.length),
      text: health?.troubles.length === 0 ? t('adminHealth.well') : t('adminOverview.look'),
      isBad: (health?.troubles.length ?? 0) > 0,
    },
    {
      key: 'users',
      to: '/admin/users',
      value: format.number(users.all),
      text: t('adminOverview.new', { count: users.new }),
    },
  ]
}
