import { HydrationBoundary } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'react-router'
import { idSchema } from '@wakestone/contract/primitives'
import { prefetch } from '#app/api/prefetch.ts'
import { followTransactionQuery } from '#app/api/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/continue'
import { FollowPayment, NoPayment } from './follow-payment.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  requireUser(request, context)
  const id = idSchema.safeParse(new URL(request.url).searchParams.get('transaction'))
  // What is known already is shown at once; nobody wonders at a payment that he has just called off.
  return {
    queries: await prefetch(...(id.success ? [followTransactionQuery(id.data, context.get(webContext).api)] : [])),
  }
}

/** Where payers come back to from PayU and PayNow. Credits nothing: it only follows what the API knows. */
export default function Continue({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const [search] = useSearchParams()
  const id = idSchema.safeParse(search.get('transaction'))
  const provider = useLocation().pathname.includes('/paynow/') ? 'paynow' : 'payu'
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="payment" />
      {id.success ? <FollowPayment id={id.data} provider={t(`wallet.providers.${provider}`)} /> : <NoPayment />}
    </HydrationBoundary>
  )
}
