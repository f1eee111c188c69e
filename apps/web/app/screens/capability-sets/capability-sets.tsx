import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { Link, useSearchParams } from 'react-router'
import type { CapabilitySet } from '@wakestone/contract/admin/capability-set'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { capabilitySetsQuery } from '#app/features/admin/capability-sets.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import type { Column } from '#app/ui/data-table.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { QueryTable } from '#app/ui/query-table.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/capability-sets'
import classes from './capability-sets.module.css'
import { Holders } from './holders.tsx'
import { DeleteSet, SetEditor } from './set-editor.tsx'

export const handle = { frame: adminFrame } satisfies FrameHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  return { queries: await prefetch(capabilitySetsQuery(context.get(webContext).api)) }
}

/** `/{lang}/admin/capability-sets`: what operators call roles. The open one is in the address. */
export default function CapabilitySets({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const open = search.get('set')
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="capabilitySets" />
      <PageHeader
        title={t('capabilitySets.title')}
        text={t('capabilitySets.text')}
        actions={
          open === null && (
            <LinkButton to="?set=new" look="primary" icon={<IconPlus size={18} aria-hidden="true" />}>
              {t('capabilitySets.new')}
            </LinkButton>
          )
        }
      />
      {open === null ? <SetList /> : <OneSet key={open} id={open} />}
    </HydrationBoundary>
  )
}

function SetList() {
  const { t } = useTranslation()
  const list = useQuery(capabilitySetsQuery())
  const columns: Column<CapabilitySet>[] = [
    {
      key: 'name',
      header: t('capabilitySets.name'),
      phone: 'title',
      cell: (set) => (
        <div className={classes['name']}>
          <Link to={`?set=${set.id}`}>{set.name}</Link>
          <span>{set.description}</span>
        </div>
      ),
    },
    {
      key: 'rights',
      header: t('capabilitySets.rights'),
      cell: (set) => t('capabilitySets.rightCount', { count: Object.keys(set.capabilities).length }),
    },
    {
      key: 'holders',
      header: t('capabilitySets.holders'),
      cell: (set) => t('admin.userCount', { count: set.holders }),
    },
    {
      key: 'changed',
      header: t('capabilitySets.changed'),
      align: 'end',
      cell: (set) => <DateTime value={set.updated_at} />,
    },
  ]
  return (
    <Card padded={false}>
      <QueryTable
        query={list}
        label={t('capabilitySets.title')}
        rows={list.data}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<EmptyState figure="none" title={t('capabilitySets.emptyTitle')} text={t('capabilitySets.emptyText')} />}
      />
    </Card>
  )
}

function OneSet({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data: sets, error, refetch } = useQuery(capabilitySetsQuery())
  const set = sets?.find((each) => each.id === id)
  return (
    <>
      <Link to="?" className={classes['back']}>
        {t('capabilitySets.back')}
      </Link>
      {id === 'new' ? (
        <SetEditor />
      ) : set !== undefined ? (
        <div className={classes['parts']}>
          <SetEditor set={set} />
          <Holders set={set} />
          <DeleteSet set={set} />
        </div>
      ) : error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : sets === undefined ? (
        <Skeleton height={320} />
      ) : (
        <EmptyState figure="none" title={t('capabilitySets.goneTitle')} text={t('capabilitySets.goneText')} />
      )}
    </>
  )
}
