import { useQuery } from '@tanstack/react-query'
import type { ReferralOverview } from '@wakestone/contract/sales/referral'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { QueryTable } from '#app/ui/query-table.tsx'
import { Badge, type BadgeColour, type BadgeShape } from '#app/ui/state-badge.tsx'
import { referralsQuery } from './referrals-query.ts'
import classes from './referrals.module.css'

type Friend = ReferralOverview['friends'][number]

const looks: Record<Friend['state'], { colour: BadgeColour; shape: BadgeShape }> = {
  registered: { colour: 'muted', shape: 'ring' },
  verified: { colour: 'dusk', shape: 'ring' },
  played: { colour: 'moss', shape: 'ring' },
  paid: { colour: 'moss', shape: 'filled' },
  review: { colour: 'lantern', shape: 'pulse' },
  refused: { colour: 'ember', shape: 'square' },
}

/** Who came by the link, and how far they have come. */
export function FriendsCard() {
  const { t } = useTranslation()
  const { id } = useSignedInUser()
  const list = useQuery(referralsQuery(id))
  const { data } = list
  const columns: Column<Friend>[] = [
    { key: 'name', header: t('referrals.friend'), cell: ({ name }) => name, phone: 'title' },
    {
      key: 'state',
      header: t('referrals.state'),
      cell: ({ state }) => (
        <Badge {...looks[state]} size="small">
          {t(`referrals.states.${state}`)}
        </Badge>
      ),
    },
    { key: 'joined', header: t('referrals.joined'), cell: ({ joined_at }) => <DateTime value={joined_at} /> },
    {
      key: 'hours',
      header: t('referrals.earned'),
      align: 'end',
      cell: ({ hours }) => t('referrals.hourCount', { count: hours }),
    },
  ]
  return (
    <Card title={t('referrals.friends')} id="friends" padded={false}>
      {data !== undefined && (
        <p className={classes['aside']}>
          {t('referrals.rules', {
            played: t('referrals.hourCount', { count: data.hours_played }),
            paid: t('referrals.hourCount', { count: data.hours_paid }),
            minutes: data.play_minutes,
          })}
        </p>
      )}
      <QueryTable
        query={list}
        label={t('referrals.friends')}
        columns={columns}
        rows={data?.friends}
        rowKey={({ name, joined_at }) => `${name} ${joined_at}`}
        empty={<EmptyState title={t('referrals.nobody')} text={t('referrals.nobodyText')} figure="sheep" />}
      />
      {data !== undefined && data.friend_count > data.friends.length && (
        <p className={classes['aside']}>{t('referrals.more', { count: data.friend_count - data.friends.length })}</p>
      )}
    </Card>
  )
}
