import { IconPlus } from '@tabler/icons-react'
import type { BackupPlan } from '@wakestone/contract/servers/backups'
import { useState } from 'react'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { OperationsCard } from '#app/features/servers/operations/operations-card.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote, ErrorState } from '#app/ui/error-state.tsx'
import { KeyValueList } from '#app/ui/key-value-list.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { BackupList } from './backup-list.tsx'
import { BackupTimeline } from './backup-timeline.tsx'
import classes from './backups.module.css'
import { CreateDialog } from './create-dialog.tsx'
import { KeyCard } from './key-card.tsx'
import { useBackups } from './use-backups.ts'

/** `/s/{identity}/backups`: what is kept of this server, and how to make and get more of it. */
export default function ServerBackups() {
  const { t } = useTranslation()
  const { server, canManage, list, plan, changed, isMaking, whyNotNow } = useBackups()
  const [isCreating, setCreating] = useState(false)
  const backups = list.data?.filter(({ deleted_at }) => deleted_at === undefined)
  const deleted = list.data?.filter(({ deleted_at }) => deleted_at !== undefined) ?? []
  const limit = plan.data?.rule?.manual ?? 0
  const isFull = plan.data !== undefined && plan.data.manual_count >= limit
  const why = whyNotNow ?? (isFull ? t('backups.full', { count: limit }) : undefined)
  const create = (
    <Button look="primary" icon={<IconPlus />} why={why} onClick={() => setCreating(true)}>
      {t('backups.create')}
    </Button>
  )
  return (
    <>
      <PageMeta page="serverBackups" title={`${t('backups.title')} · ${server.name}`} />
      <PageHeader title={t('backups.title')} text={t('backups.text')} actions={create} />
      <div className={classes['cards']}>
        <OperationsCard
          serverId={server.id}
          canManage={canManage}
          endsOf={['backup', 'backup_restore', 'backup_retrieve']}
        />
        {plan.data?.last_failure != null && (
          <ErrorNote error={plan.data.last_failure.code} title={t('backups.lastFailed')} />
        )}
        {backups === undefined ? (
          list.error === null ? (
            <Skeleton height={260} />
          ) : (
            <ErrorState error={list.error} onRetry={() => void list.refetch()} />
          )
        ) : backups.length === 0 ? (
          // The first one is on its way: its progress stands above.
          isMaking ? null : (
            <Card>
              <EmptyState title={t('backups.emptyTitle')} text={t('backups.emptyText')} figure="none" />
            </Card>
          )
        ) : (
          <>
            <Card title={t('backups.kept')}>
              <BackupTimeline backups={backups} />
            </Card>
            <Card padded={false}>
              <BackupList label={t('backups.title')} backups={backups} />
            </Card>
          </>
        )}
        {deleted.length > 0 && (
          <Card padded={false} title={t('backups.deletedTitle')}>
            <p className={`${classes['muted']} ${classes['above']}`}>{t('backups.deletedText')}</p>
            <BackupList label={t('backups.deletedTitle')} backups={deleted} />
          </Card>
        )}
        {plan.data !== undefined && <PlanCard plan={plan.data} isExpired={server.status.expired} />}
        {list.data !== undefined && list.data.length > 0 && <KeyCard />}
      </div>
      {isCreating && <CreateDialog serverId={server.id} onClose={() => setCreating(false)} onBegun={changed} />}
    </>
  )
}

/** How often, how many, how long. */
function PlanCard({ plan, isExpired }: { plan: BackupPlan; isExpired: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { rule, manual_count, next_at, stored_bytes, drilled_at } = plan
  if (rule === null)
    return (
      <Card title={t('backups.planTitle')}>
        <p>{t('backups.noPlan')}</p>
      </Card>
    )
  const { every_hours, keep_all_hours, keep_daily_days, manual } = rule
  const keepsDaily = keep_all_hours < keep_daily_days * 24
  const rows = [
    { key: t('backups.often'), value: t('backups.oftenText', { count: every_hours }) },
    {
      key: t('backups.long'),
      value: keepsDaily
        ? t('backups.longDaily', { hours: format.duration(keep_all_hours * 3600), count: keep_daily_days })
        : t('backups.longAll', { count: keep_daily_days }),
    },
    {
      key: t('backups.next'),
      value: next_at === null ? t(isExpired ? 'backups.nextExpired' : 'backups.nextUnused') : format.dateTime(next_at),
    },
    { key: t('backups.byHand'), value: t('backups.byHandText', { count: manual_count, limit: manual }) },
    ...(stored_bytes === null ? [] : [{ key: t('backups.stored'), value: format.bytes(stored_bytes) }]),
    ...(drilled_at === null ? [] : [{ key: t('backups.drilled'), value: format.dateTime(drilled_at) }]),
  ]
  return (
    <Card title={t('backups.planTitle')}>
      <div className={classes['parts']}>
        <KeyValueList rows={rows} />
        <p className={classes['muted']}>{t('backups.leftOut')}</p>
      </div>
    </Card>
  )
}
