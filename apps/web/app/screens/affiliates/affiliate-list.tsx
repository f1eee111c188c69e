import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { AdminAffiliate } from '@wakestone/contract/sales/affiliate'
import { changeAffiliate, listAffiliates } from '@wakestone/contract/sales/affiliates-routes'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { adminPageSize } from '#app/features/admin/admin-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { Badge } from '#app/ui/state-badge.tsx'
import { useAfter } from '#app/ui/table-address.ts'
import { affiliatesQuery } from './affiliates-queries.ts'
import classes from './affiliates.module.css'

const looks = {
  waiting: { colour: 'lantern', shape: 'pulse' },
  approved: { colour: 'moss', shape: 'filled' },
  suspended: { colour: 'ember', shape: 'square' },
} as const

/** Affiliates with what they say of themselves and what they have brought. */
export function AffiliateList() {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const queries = useQueryClient()
  const list = useQuery(affiliatesQuery(useAfter()))
  const decide = useMutation({
    mutationFn: ({ user, state }: { user: string; state: 'approved' | 'suspended' }) =>
      api(changeAffiliate, { params: { userId: user }, body: { state } }),
    onSuccess: () => makeStale(queries, answersOf(listAffiliates)),
  })
  const columns: Column<AdminAffiliate>[] = [
    {
      key: 'user',
      header: t('affiliates.user'),
      cell: ({ user }) => <Link to={path(`/user/${user.id}`)}>{user.username}</Link>,
      phone: 'title',
    },
    {
      key: 'about',
      header: t('affiliates.about'),
      cell: ({ website, about }) => (
        <div className={classes['about']}>
          <a href={website} rel="noopener noreferrer nofollow" target="_blank">
            {website}
          </a>
          <span>{about}</span>
        </div>
      ),
    },
    {
      key: 'state',
      header: t('wallet.status'),
      cell: ({ state }) => (
        <Badge {...looks[state]} size="small">
          {t(`affiliate.states.${state}`)}
        </Badge>
      ),
    },
    {
      key: 'reach',
      header: t('affiliates.reach'),
      cell: (one) => (
        <span className={classes['whole']}>
          {[one.clicks, one.sign_ups, one.flagged].map((value) => format.number(value)).join(' / ')}
        </span>
      ),
      align: 'end',
    },
    {
      key: 'earned',
      header: t('affiliates.earned'),
      cell: ({ earned }) => (
        <span className={classes['amounts']}>
          {earned.length === 0 ? '–' : earned.map((money) => <span key={money.currency}>{format.money(money)}</span>)}
        </span>
      ),
      align: 'end',
    },
    {
      key: 'decide',
      header: t('affiliates.decide'),
      align: 'end',
      cell: ({ user, state }) => {
        const next = state === 'approved' ? 'suspended' : 'approved'
        return (
          <Button
            className={classes['whole'] ?? ''}
            size="small"
            look={next === 'approved' ? 'primary' : 'danger'}
            loading={decide.isPending && decide.variables.user === user.id}
            onClick={() => decide.mutate({ user: user.id, state: next })}
          >
            {t(`affiliates.${next}`)}
          </Button>
        )
      },
    },
  ]
  return (
    <Card title={t('affiliates.list')} padded={false}>
      {decide.error !== null && (
        <div className={classes['failure']}>
          <ErrorNote error={decide.error} />
        </div>
      )}
      <div className={classes['list']}>
        <KeysetTable
          query={list}
          size={adminPageSize}
          label={t('affiliates.list')}
          columns={columns}
          rowKey={({ user }) => user.id}
          empty={<EmptyState title={t('affiliates.nobody')} text={t('affiliates.nobodyText')} figure="none" />}
        />
      </div>
    </Card>
  )
}
