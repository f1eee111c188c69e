import { HydrationBoundary } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { debtsQuery, readDebtsPage, readFilters, returnsQuery } from '#app/features/refunds/refunds-queries.ts'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import { PageHeader } from '#app/ui/page-header.tsx'
import { TabLinks } from '#app/ui/tab-links.tsx'
import type { Route } from './+types/refunds'
import { DebtList } from './debt-list.tsx'
import { ReturnList } from './return-list.tsx'

export const handle = { frame: adminFrame } satisfies FrameHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  const { api } = context.get(webContext)
  const { searchParams } = new URL(request.url)
  const query = isDebts(searchParams)
    ? debtsQuery(readDebtsPage(searchParams), api)
    : returnsQuery(readFilters(searchParams), api)
  return { queries: await prefetch(query) }
}

const isDebts = (search: URLSearchParams) => search.get('list') === 'debts'

/** `/{lang}/admin/refunds`: what went back to payers, and what they owe for it. */
export default function Refunds({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const debts = isDebts(search)
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="refunds" />
      <PageHeader title={t('refunds.title')} text={t('refunds.text')} />
      <TabLinks
        label={t('refunds.title')}
        tabs={[
          { to: '?', label: t('refunds.returns'), active: !debts },
          { to: '?list=debts', label: t('refunds.debts'), active: debts },
        ]}
      />
      {debts ? <DebtList /> : <ReturnList />}
    </HydrationBoundary>
  )
}
