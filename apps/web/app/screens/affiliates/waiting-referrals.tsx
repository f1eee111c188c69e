import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { AdminReferral } from '@wakestone/contract/sales/referral'
import { listReferrals, reviewReferral } from '@wakestone/contract/sales/referrals-routes'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { adminPageSize } from '#app/features/admin/admin-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { useAfter } from '#app/ui/table-address.ts'
import { waitingReferralsQuery } from './affiliates-queries.ts'
import classes from './affiliates.module.css'

/** Invitations between accounts that look like one person's: nothing is earned until somebody has looked. */
export function WaitingReferrals() {
  const { t } = useTranslation()
  const path = usePath()
  const queries = useQueryClient()
  const list = useQuery(waitingReferralsQuery(useAfter()))
  const decide = useMutation({
    mutationFn: ({ user, review }: { user: string; review: 'allowed' | 'refused' }) =>
      api(reviewReferral, { params: { userId: user }, body: { review } }),
    onSuccess: () => makeStale(queries, answersOf(listReferrals)),
  })
  const columns: Column<AdminReferral>[] = [
    {
      key: 'invited',
      header: t('affiliates.invited'),
      cell: ({ invited }) => <Link to={path(`/user/${invited.id}`)}>{invited.username}</Link>,
      phone: 'title',
    },
    {
      key: 'inviter',
      header: t('affiliates.inviter'),
      cell: ({ inviter }) => <Link to={path(`/user/${inviter.id}`)}>{inviter.username}</Link>,
    },
    { key: 'since', header: t('referrals.joined'), cell: ({ created_at }) => <DateTime value={created_at} /> },
    {
      key: 'signs',
      header: t('affiliates.same'),
      cell: ({ signs }) => signs.map((sign) => t(`affiliates.signs.${sign}`)).join(', '),
    },
    {
      key: 'decide',
      header: t('affiliates.decide'),
      align: 'end',
      cell: ({ invited }) => {
        const running = decide.isPending && decide.variables.user === invited.id ? decide.variables.review : null
        return (
          <span className={classes['buttons']}>
            <Button
              size="small"
              loading={running === 'allowed'}
              disabled={running === 'refused'}
              onClick={() => decide.mutate({ user: invited.id, review: 'allowed' })}
            >
              {t('affiliates.allow')}
            </Button>
            <Button
              size="small"
              look="danger"
              loading={running === 'refused'}
              disabled={running === 'allowed'}
              onClick={() => decide.mutate({ user: invited.id, review: 'refused' })}
            >
              {t('affiliates.refuse')}
            </Button>
          </span>
        )
      },
    },
  ]
  return (
    <Card title={t('affiliates.waiting')} padded={false}>
      {decide.error !== null && (
        <div className={classes['failure']}>
          <ErrorNote error={decide.error} />
        </div>
      )}
      <KeysetTable
        query={list}
        size={adminPageSize}
        label={t('affiliates.waiting')}
        columns={columns}
        rowKey={({ invited }) => invited.id}
        empty={<EmptyState title={t('affiliates.noneWaiting')} text={t('affiliates.noneWaitingText')} figure="none" />}
      />
    </Card>
  )
}
