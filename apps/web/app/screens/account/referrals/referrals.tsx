import { HydrationBoundary } from '@tanstack/react-query'
import { prefetch } from '#app/api/prefetch.ts'
import { serversQuery } from '#app/api/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { webContext } from '#app/load-context.ts'
import { AccountFrame } from '../account-frame.tsx'
import classes from '../account.module.css'
import type { Route } from './+types/referrals'
import { FriendsCard } from './friends-card.tsx'
import { HoursCard } from './hours-card.tsx'
import { InviteSection, inviteQuery } from './invite-section.tsx'
import { referralsQuery } from './referrals-query.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api } = context.get(webContext)
  return {
    queries: await prefetch(inviteQuery(user.id, api), referralsQuery(user.id, api), serversQuery(user.id, api)),
  }
}

/** `/{lang}/account/referrals`: the link that brings friends, what became of them, and the hours earned. */
export default function Referrals({ loaderData }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="referrals" />
      <AccountFrame>
        <div className={classes['sections']}>
          <HoursCard />
          <InviteSection />
          <FriendsCard />
        </div>
      </AccountFrame>
    </HydrationBoundary>
  )
}
