import { useQuery } from '@tanstack/react-query'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import type { PackageLock } from '@wakestone/contract/servers/packages'
import { listPackageLocks } from '@wakestone/contract/servers/packages-routes'
import { keepWhile, queryOf } from '#app/api/query-of.ts'
import { usePackageHeads } from '#app/features/packages/use-package-heads.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { KeysetPager } from '#app/ui/pager.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useAfter } from '#app/ui/table-address.ts'
import { ChangeDialog } from './change-dialog.tsx'
import type { AskedChange } from './package-change.ts'
import classes from './packages.module.css'
import { usePackages } from './use-packages.ts'

const pageSize = 20

/** What the server had each time that its packages were changed, and the way back to it. */
export function History() {
  const { t } = useTranslation()
  const format = useFormat()
  const after = useAfter()
  const { server } = usePackages()
  const [opened, setOpened] = useState<{ title: string; asked: AskedChange } | null>(null)
  const params = { id: server.id }
  const { data, error, refetch } = useQuery(
    queryOf(
      listPackageLocks,
      { params, query: { limit: pageSize, ...(after !== undefined && { after }) } },
      { placeholderData: keepWhile(params) },
    ),
  )
  const { titleOf, isPending } = usePackageHeads(
    server.id,
    (data?.locks ?? []).flatMap(({ packages, removed }) => [...packages, ...removed].map(({ name }) => name)),
  )
  if (data === undefined || isPending)
    return error === null ? (
      <Skeleton height={220} radius={12} />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  if (data.locks.length === 0)
    return (
      <Card>
        <EmptyState figure="none" title={t('packages.history.emptyTitle')} text={t('packages.history.emptyText')} />
      </Card>
    )
  return (
    <>
      <Card padded={false}>
        <ol className={`${classes['rows']} ${classes['locks']}`}>
          {data.locks.map((lock) => (
            <LockRow
              key={lock.id}
              lock={lock}
              titleOf={titleOf}
              onBack={() =>
                setOpened({
                  title: t('packages.history.backTitle', { date: format.dateTime(lock.created_at) }),
                  asked: { kind: 'rollback', lockId: lock.id },
                })
              }
            />
          ))}
        </ol>
        <KeysetPager
          next={data.has_more ? data.locks.at(-1)?.id : undefined}
          shown={data.locks.length}
          size={pageSize}
          count={undefined}
          isAtLeast={data.has_more}
        />
      </Card>
      {opened !== null && <ChangeDialog {...opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function LockRow({
  lock,
  titleOf,
  onBack,
}: {
  lock: PackageLock
  titleOf: (name: string) => string
  onBack: () => void
}) {
  const { t } = useTranslation()
  const { why } = usePackages()
  const { cause, executor, is_current: isCurrent, packages, added, changed, removed } = lock
  const release = ({ name, version }: { name: string; version: string }) => `${titleOf(name)} ${version}`
  const shownCause = cause === 'install' && added.length === 0 && changed.length > 0 ? 'change' : cause
  const changes = [
    ...added.map((one) => `+ ${release(one)}`),
    ...changed.map(({ name, from, to }) => `${titleOf(name)} ${from} → ${to}`),
    ...removed.map((one) => `− ${release(one)}`),
  ]
  return (
    <li className={classes['row']} aria-current={isCurrent ? 'true' : undefined}>
      <div>
        <h3>
          {shownCause === null ? t('packages.history.first') : t(`packages.history.cause.${shownCause}`)}
          {isCurrent && <span className={classes['now']}>{t('packages.history.current')}</span>}
        </h3>
        <p className={classes['muted']}>
          <DateTime value={lock.created_at} />
          {executor !== null && ` · ${t('packages.history.by', { name: executor.username })}`}
        </p>
        {changes.length > 0 && <p className={classes['changes']}>{changes.join(', ')}</p>}
        <p className={classes['muted']}>
          {packages.length === 0 ? t('packages.history.nothing') : packages.map(release).join(', ')}
        </p>
      </div>
      {!isCurrent && (
        <div className={classes['actions']}>
          <Button size="small" why={why} icon={<IconArrowBackUp size={16} aria-hidden="true" />} onClick={onBack}>
            {t('packages.history.back')}
          </Button>
        </div>
      )}
    </li>
  )
}
