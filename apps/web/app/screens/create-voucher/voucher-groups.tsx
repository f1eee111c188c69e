import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { VoucherGroup } from '@wakestone/contract/sales/voucher'
import { adminPageSize } from '#app/features/admin/admin-queries.ts'
import { useEffectLines } from '#app/features/vouchers/voucher-effects.tsx'
import { voucherGroupsQuery } from '#app/features/vouchers/voucher-queries.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { KeysetTable } from '#app/ui/query-table.tsx'
import { useAfter } from '#app/ui/table-address.ts'
import { BatchDialog } from './batch-dialog.tsx'
import classes from './create-voucher.module.css'

/** What was made before, and how much of it is used. */
export function VoucherGroups() {
  const { t } = useTranslation()
  const format = useFormat()
  const describe = useEffectLines()
  const list = useQuery(voucherGroupsQuery(useAfter()))
  const [shown, setShown] = useState<VoucherGroup | null>(null)
  const columns: Column<VoucherGroup>[] = [
    {
      key: 'what',
      header: t('makeVouchers.gives'),
      phone: 'title',
      cell: (group) => (
        <div className={classes['name']}>
          <span>{describe(group.data).join(' · ')}</span>
          <span className={classes['muted']}>
            {[group.group_id, group.prefix === '' ? null : `${group.prefix}…`, group.data.comment || null]
              .filter((part) => part !== null)
              .join(' · ')}
          </span>
        </div>
      ),
    },
    {
      key: 'used',
      header: t('makeVouchers.used'),
      align: 'end',
      cell: ({ used, uses, revoked }) => (
        <div className={classes['name']}>
          <span className={classes['nowrap']}>
            {t('makeVouchers.usedOf', { used: format.number(used), uses: format.number(uses) })}
          </span>
          {revoked > 0 && <span className={classes['muted']}>{t('makeVouchers.revoked', { count: revoked })}</span>}
        </div>
      ),
    },
    {
      key: 'made',
      header: t('makeVouchers.madeAt'),
      cell: ({ created_at, created_by }) => (
        <div className={classes['name']}>
          <DateTime value={created_at} />
          <span className={classes['muted']}>{created_by?.username}</span>
        </div>
      ),
    },
    { key: 'expires', header: t('makeVouchers.fields.expires'), cell: ({ expires }) => <DateTime value={expires} /> },
    {
      key: 'codes',
      header: t('makeVouchers.codes'),
      align: 'end',
      cell: (group) => (
        <Button size="small" className={classes['nowrap'] ?? ''} onClick={() => setShown(group)}>
          {t('makeVouchers.show', { count: group.codes })}
        </Button>
      ),
    },
  ]
  return (
    <Card padded={false} title={t('makeVouchers.groups')}>
      <KeysetTable
        query={list}
        size={adminPageSize}
        label={t('makeVouchers.groups')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState figure="none" title={t('makeVouchers.noneTitle')} text={t('makeVouchers.noneText')} />}
      />
      <BatchDialog
        group={shown}
        title={shown === null ? '' : describe(shown.data).join(' · ')}
        onClose={() => setShown(null)}
      />
    </Card>
  )
}
