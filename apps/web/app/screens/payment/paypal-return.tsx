import { HydrationBoundary, useQuery, useQueryClient } from '@tanstack/react-query'
import { IconCreditCardOff, IconHandStop } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import { idSchema } from '@wakestone/contract/primitives'
import { completePaypal } from '@wakestone/contract/money/transactions-routes'
import { isFinalTransaction } from '@wakestone/contract/states'
import type { PaypalReturn } from '@wakestone/contract/money/transaction'
import { api } from '#app/api/client.ts'
import { queryOf } from '#app/api/query-of.ts'
import { prefetch } from '#app/api/prefetch.ts'
import { followTransactionQuery } from '#app/api/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { requireUser } from '#app/features/session/require-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { usePath } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { StatusPage } from '#app/ui/status-page.tsx'
import type { Route } from './+types/paypal-return'
import { FollowPayment, NoPayment } from './follow-payment.tsx'

export async function loader({ request, context }: Route.LoaderArgs) {
  requireUser(request, context)
  const url = new URL(request.url)
  const id = idSchema.safeParse(url.searchParams.get('transaction'))
  return {
    isCancelled: url.pathname.endsWith('/paypal/cancel'),
    queries: await prefetch(...(id.success ? [followTransactionQuery(id.data, context.get(webContext).api)] : [])),
  }
}

/** The browser follows by itself. */
export const shouldRevalidate = () => false

/**
 * `/paypal/success`, `/paypal/continue`, `/paypal/cancel`: where PayPal sends its payers back to. Tells our server that
 * they are back, which asks PayPal then; should that get lost, polls and webhooks do the same, and this page follows.
 */
export default function PaypalReturnPage({ loaderData }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const id = idSchema.safeParse(search.get('transaction'))
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="payment" />
      {id.success ? <Return key={id.data} id={id.data} isCancelled={loaderData.isCancelled} /> : <NoPayment />}
    </HydrationBoundary>
  )
}

function Return({ id, isCancelled }: { id: string; isCancelled: boolean }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const followed = useQuery(followTransactionQuery(id))
  const call = { body: { transaction_id: id, cancelled: isCancelled } }
  const { data: answer } = useQuery(
    queryOf(completePaypal, call, {
      async read() {
        const found = await api(completePaypal, call)
        queries.setQueryData(followTransactionQuery(id).queryKey, found.transaction)
        return found
      },
      // Once for each time that the page is opened; what gets lost, our server finds out by itself.
      staleTime: Infinity,
      retry: 2,
    }),
  )
  const isOver = followed.data !== undefined && isFinalTransaction(followed.data.status)
  const action = answer?.payer_action
  if (action && !isOver) return <PayerAction answer={answer} reason={action.reason} payUrl={action.redirect_url} />
  return <FollowPayment id={id} provider={t('wallet.providers.paypal')} />
}

/** The payer has to go back to PayPal, or to pay otherwise. */
function PayerAction({
  answer: { transaction },
  reason,
  payUrl,
}: {
  answer: PaypalReturn
  reason: 'not_approved' | 'declined'
  payUrl: string | null
}) {
  const { t } = useTranslation()
  const path = usePath()
  return (
    <StatusPage
      icon={reason === 'declined' ? <IconCreditCardOff /> : <IconHandStop />}
      title={t(`payment.paypal.${reason}Title`)}
      text={t(`payment.paypal.${reason}Text`)}
    >
      {payUrl !== null && (
        <Button look="primary" onClick={() => location.assign(payUrl)}>
          {t('payment.paypal.back')}
        </Button>
      )}
      <LinkButton to={path(`/wallets/${transaction.wallet_id}/recharge`)}>{t('payment.paypal.otherWay')}</LinkButton>
      <LinkButton to={path(`/wallets/${transaction.wallet_id}`)}>{t('payment.toWallet')}</LinkButton>
    </StatusPage>
  )
}
