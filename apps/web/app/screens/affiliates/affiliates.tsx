import { HydrationBoundary } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { TabLinks } from '#app/ui/tab-links.tsx'
import { readAfter } from '#app/ui/table-address.ts'
import type { Route } from './+types/affiliates'
import { AffiliateList } from './affiliate-list.tsx'
import { affiliatesQuery, overdueBillsQuery, waitingReferralsQuery } from './affiliates-queries.ts'
import { OverdueBills } from './overdue-bills.tsx'
import { WaitingReferrals } from './waiting-referrals.tsx'

export const handle = { frame: adminFrame } satisfies FrameHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  const { api } = context.get(webContext)
  const { searchParams } = new URL(request.url)
  const after = readAfter(searchParams).at(-1)
  const query = { affiliates: affiliatesQuery, referrals: waitingReferralsQuery, bills: overdueBillsQuery }[
    listOf(searchParams)
  ]
  return { queries: await prefetch(query(after, api)) }
}

const lists = ['affiliates', 'referrals', 'bills'] as const
const names = { affiliates: 'list', referrals: 'waiting', bills: 'overdue' } as const
const listOf = (search: URLSearchParams) => lists.find((list) => list === search.get('list')) ?? 'affiliates'

/** `/{lang}/admin/affiliates`: who recommends us, invitations that look like one person's, bills that are overdue. */
export default function Affiliates({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const open = listOf(search)
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="affiliates" />
      <PageHeader
        title={t('affiliates.title')}
        text={t('affiliates.text')}
        actions={
          <LinkButton
            to={`/api/v1/admin/${open}.csv`}
            reload
            download
            icon={<IconDownload size={18} aria-hidden="true" />}
          >
            {t(`affiliates.files.${open}`)}
          </LinkButton>
        }
      />
      <TabLinks
        label={t('affiliates.title')}
        tabs={lists.map((list) => ({
          to: list === 'affiliates' ? '?' : `?list=${list}`,
          label: t(`affiliates.${names[list]}`),
          active: list === open,
        }))}
      />
      {open === 'affiliates' ? <AffiliateList /> : open === 'referrals' ? <WaitingReferrals /> : <OverdueBills />}
    </HydrationBoundary>
  )
}
