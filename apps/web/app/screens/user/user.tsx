import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { type ComponentType } from 'react'
import { useSearchParams } from 'react-router'
import type { AdminUserDetails } from '@wakestone/contract/admin/admin'
import { prefetch } from '#app/api/prefetch.ts'
import { adminFrame } from '#app/features/admin/admin-frame.ts'
import { adminUserQuery } from '#app/features/admin/admin-queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireCapability } from '#app/features/session/require-user.ts'
import type { FrameHandle } from '#app/features/shell/nav.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import { ErrorState } from '#app/ui/error-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { TabLinks } from '#app/ui/tab-links.tsx'
import type { Route } from './+types/user'
import { CapabilitiesTab } from './capabilities-tab.tsx'
import { EventsTab } from './events-tab.tsx'
import { NotificationsTab } from './notifications-tab.tsx'
import { ServersTab } from './servers-tab.tsx'
import { ServicesTab } from './services-tab.tsx'
import { SessionsTab } from './sessions-tab.tsx'
import { TransactionsTab } from './transactions-tab.tsx'
import { UserHeader } from './user-header.tsx'
import { VouchersTab } from './vouchers-tab.tsx'
import { WalletsTab } from './wallets-tab.tsx'

export const handle = { frame: adminFrame } satisfies FrameHandle

const tabs = {
  services: ServicesTab,
  servers: ServersTab,
  wallets: WalletsTab,
  transactions: TransactionsTab,
  vouchers: VouchersTab,
  events: EventsTab,
  notifications: NotificationsTab,
  sessions: SessionsTab,
  capabilities: CapabilitiesTab,
} satisfies Record<string, ComponentType<{ user: AdminUserDetails }>>
type Tab = keyof typeof tabs
const tabNames = Object.keys(tabs) as Tab[]

export async function loader({ request, params, context }: Route.LoaderArgs) {
  requireCapability(request, context, 'admin')
  return { queries: await prefetch(adminUserQuery(params.userId, context.get(webContext).api)) }
}

/** `/{lang}/user/{userId}`: an account as an administrator sees it. The open tab is in the address. */
export default function UserScreen({ loaderData, params }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.queries}>
      <UserPage key={params.userId} userId={params.userId} />
    </HydrationBoundary>
  )
}

function UserPage({ userId }: { userId: string }) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const { data: user, error, refetch } = useQuery(adminUserQuery(userId))
  const open = tabNames.find((name) => name === search.get('tab')) ?? 'services'
  if (user === undefined)
    return (
      <>
        <PageMeta page="user" />
        {error === null ? <Skeleton height={320} /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </>
    )
  const Content = tabs[open]
  return (
    <>
      <PageMeta page="user" title={`${user.username} · ${t('admin.title')}`} />
      <UserHeader user={user} />
      <TabLinks
        label={t('admin.tabs')}
        tabs={tabNames.map((name) => ({
          to: name === 'services' ? '?' : `?tab=${name}`,
          label: t(`admin.tab.${name}`),
          active: name === open,
        }))}
      />
      <Content user={user} />
    </>
  )
}
