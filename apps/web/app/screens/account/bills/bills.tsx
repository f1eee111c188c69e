import { HydrationBoundary } from '@tanstack/react-query'
import { prefetch } from '#app/api/prefetch.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { webContext } from '#app/load-context.ts'
import { AccountFrame } from '../account-frame.tsx'
import classes from '../account.module.css'
import type { Route } from './+types/bills'
import { BillList } from './bill-list.tsx'
import { LimitsCard } from './limits-card.tsx'
import { payLaterQuery } from '#app/features/payment/pay-later-query.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  return { queries: await prefetch(payLaterQuery(user.id, context.get(webContext).api)) }
}

/** `/{lang}/account/bills`: what was bought to be paid later, and what may be. */
export default function Bills({ loaderData }: Route.ComponentProps) {
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="bills" />
      <AccountFrame>
        <div className={classes['sections']}>
          <BillList />
          <LimitsCard />
        </div>
      </AccountFrame>
    </HydrationBoundary>
  )
}
