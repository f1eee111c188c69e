import { HydrationBoundary } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import type { Route } from './+types/affiliates'
import { AffiliateList } from './affiliate-list.tsx'
import { affiliatesQuery, overdueBillsQuery, waitingReferralsQuery } from './affiliates-queries.ts'
import classes from './affiliates.module.css'
import { OverdueBills } from './overdue-bills.tsx'
import { WaitingReferrals } from './waiting-referrals.tsx'

export const handle = { frame: adminFrame } satisfies FrameHandle

export async function loader({ request, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  const { api } = context.get(webContext)
  return { queries: await prefetch(affiliatesQuery(api), waitingReferralsQuery(api), overdueBillsQuery(api)) }
}

const files = ['affiliates', 'referrals', 'bills'] as const

/** `/{lang}/admin/affiliates`: who recommends us, invitations that look like one person's, bills that are overdue. */
export default function Affiliates({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="affiliates" />
      <PageHeader
        title={t('affiliates.title')}
        text={t('affiliates.text')}
        actions={files.map((file) => (
          <LinkButton
            key={file}
            to={`/api/v1/admin/${file}.csv`}
            reload
            download
            icon={<IconDownload size={18} aria-hidden="true" />}
          >
            {t(`affiliates.files.${file}`)}
          </LinkButton>
        ))}
      />
      <div className={classes['lists']}>
        <AffiliateList />
        <WaitingReferrals />
        <OverdueBills />
      </div>
    </HydrationBoundary>
  )
}
