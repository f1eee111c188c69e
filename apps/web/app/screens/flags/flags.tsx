import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Link, useSearchParams } from 'react-router'
import type { FlagState } from '@wakestone/contract/site/flags-routes'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { webContext } from '#app/load-context.ts'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { QueryTable } from '#app/ui/query-table.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/flags'
import { FlagEditor } from './flag-editor.tsx'
import { flagsQuery } from './flag-queries.ts'
import { FlagSwitch, LastChange } from './flag-state.tsx'
import classes from './flags.module.css'

export const handle = { frame: adminFrame } satisfies FrameHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  return { queries: await prefetch(flagsQuery(context.get(webContext).api)) }
}

/** `/{lang}/admin/flags`: what is on, for whom, and who turned it on. */
export default function Flags({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const open = search.get('flag')
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="flags" />
      <PageHeader title={t('flags.title')} text={t('flags.text')} />
      {open === null ? <FlagList /> : <OneFlag flagKey={open} />}
    </HydrationBoundary>
  )
}

function FlagList() {
  const { t } = useTranslation()
  const list = useQuery(flagsQuery())
  const columns: Column<FlagState>[] = [
    { key: 'on', header: t('flags.on'), cell: (flag) => <FlagSwitch flag={flag} /> },
    {
      key: 'flag',
      header: t('flags.flag'),
      phone: 'title',
      cell: (flag) => (
        <div className={classes['name']}>
          <Link to={`?flag=${flag.key}`}>
            <code>{flag.key}</code>
          </Link>
          <span>{t(`flags.descriptions.${flag.key}`)}</span>
        </div>
      ),
    },
    {
      key: 'type',
      header: t('flags.type'),
      cell: (flag) => <span className={classes['whole']}>{t(`flags.types.${flag.type}`)}</span>,
    },
    {
      key: 'rules',
      header: t('flags.rules'),
      cell: (flag) => (flag.rules.length === 0 ? '–' : t('flags.ruleCount', { count: flag.rules.length })),
    },
    { key: 'changed', header: t('flags.changed'), cell: (flag) => <LastChange flag={flag} /> },
  ]
  return (
    <Card padded={false}>
      <QueryTable
        query={list}
        label={t('flags.title')}
        rows={list.data}
        columns={columns}
        rowKey={(flag) => flag.key}
        empty={<EmptyState figure="none" title={t('flags.emptyTitle')} text={t('flags.emptyText')} />}
      />
    </Card>
  )
}

function OneFlag({ flagKey }: { flagKey: string }) {
  const { t } = useTranslation()
  const { data: flags, error, refetch } = useQuery(flagsQuery())
  const flag = flags?.find(({ key }) => key === flagKey)
  return (
    <>
      <Link to="?" className={classes['back']}>
        {t('flags.back')}
      </Link>
      {flag !== undefined ? (
        <FlagEditor
          key={flag.key}
          flag={flag}
          beside={
            <>
              <LastChange flag={flag} />
              <FlagSwitch flag={flag} />
            </>
          }
        />
      ) : error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : flags === undefined ? (
        <Skeleton height={320} />
      ) : (
        <EmptyState figure="none" title={t('flags.emptyTitle')} text={t('flags.emptyText')} />
      )}
    </>
  )
}
