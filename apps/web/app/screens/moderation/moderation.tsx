import { HydrationBoundary } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import { PageHeader } from '#app/ui/page-header.tsx'
import { readAfter } from '#app/ui/table-address.ts'
import { TabLinks } from '#app/ui/tab-links.tsx'
import type { Route } from './+types/moderation'
import { projectsQuery, readProjectFilters, reportsQuery, waitingQuery } from './moderation-queries.ts'
import classes from './moderation.module.css'
import { ProjectDesk } from './project-desk.tsx'
import { ProjectList } from './project-list.tsx'
import { QuarantineForm } from './quarantine-form.tsx'
import { ReportsList } from './reports-list.tsx'
import { WaitingList } from './waiting-list.tsx'

export const handle = { frame: adminFrame } satisfies FrameHandle

const lists = ['waiting', 'reports', 'projects', 'quarantine'] as const

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin.marketplace')
  const { api } = context.get(webContext)
  const search = new URL(request.url).searchParams
  return {
    queries: await prefetch(
      waitingQuery(api),
      reportsQuery(api),
      ...(search.get('list') === 'projects' && !search.has('slug')
        ? [projectsQuery(readProjectFilters(search), readAfter(search).at(-1), api)]
        : []),
    ),
  }
}

/** `/{lang}/admin/marketplace`: releases that wait, reports, projects and files that have to go. */
export default function Moderation({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const list = lists.find((one) => one === search.get('list')) ?? 'waiting'
  const slug = (search.get('slug') ?? '').trim()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="moderation" />
      <PageHeader title={t('moderation.title')} text={t('moderation.text')} />
      <TabLinks
        label={t('moderation.title')}
        tabs={lists.map((one) => ({
          to: one === 'waiting' ? '?' : `?list=${one}`,
          label: t(`moderation.lists.${one}`),
          active: one === list,
        }))}
      />
      <div className={classes['below']}>
        {list === 'waiting' && <WaitingList />}
        {list === 'reports' && <ReportsList />}
        {list === 'projects' && (slug === '' ? <ProjectList /> : <ProjectDesk slug={slug} />)}
        {list === 'quarantine' && <QuarantineForm first={search.get('sha256') ?? ''} />}
      </div>
    </HydrationBoundary>
  )
}
