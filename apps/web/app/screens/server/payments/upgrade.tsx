import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type BillingPeriod, hoursOfPeriod } from '@wakestone/contract/primitives'
import { upgradeService } from '@wakestone/contract/sales/billings-routes'
import { getServer } from '@wakestone/contract/servers/servers-routes'
import type { UpgradeBody, UpgradeQuote, UpgradeTarget } from '@wakestone/contract/sales/service-change'
import { api } from '#app/api/client.ts'
import { prefetch } from '#app/api/prefetch.ts'
import { walletsQuery } from '#app/api/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { DebtNotes } from '#app/features/payment/debt-notes.tsx'
import { upgradeQuery } from '#app/features/servers/plan-queries.ts'
import { planName } from '#app/features/servers/server-names.ts'
import { findServerId } from '#app/features/servers/server-queries.ts'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import { useServerPage } from '../use-server-page.ts'
import type { Route } from './+types/upgrade'
import { type Bill, PayDialog } from './pay-dialog.tsx'
import classes from './payments.module.css'
import { PlanColumn, TargetColumn } from './plan-columns.tsx'
import { useServiceChanged } from './use-service-changed.ts'

/** What fails here is asked again by the browser, which shows what went wrong in its place. */
export async function loader({ request, context, params: { identity } }: Route.LoaderArgs) {
  const user = requireUser(request, context)
  const { api: client } = context.get(webContext)
  const serverId = await findServerId(identity, client).catch(() => null)
  if (serverId === null) return { queries: null }
  const server = await client(getServer, { params: { id: serverId } }).catch(() => undefined)
  if (server === undefined || server.owner_id !== user.id) return { queries: null }
  return { queries: await prefetch(walletsQuery(user.id, client), upgradeQuery(server.service_id, client)) }
}

/** The browser keeps itself up to date. */
export const shouldRevalidate = () => false

/** `/s/{identity}/payments/upgrade`: plans side by side, each with exactly what the change costs now. */
export default function Upgrade({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const { server } = useServerPage()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="serverUpgrade" title={`${t('plans.change')} · ${server.name}`} />
      <PageHeader title={t('plans.change')} text={t('plans.changeText')} />
      <UpgradePage />
    </HydrationBoundary>
  )
}

function UpgradePage() {
  const { t } = useTranslation()
  const { server, identity } = useServerPage()
  const user = useSignedInUser()
  const isOwner = user.id === server.owner_id
  const { data, error, refetch } = useQuery({ ...upgradeQuery(server.service_id), enabled: isOwner })
  if (!isOwner)
    return (
      <EmptyState
        title={t('plans.notOwner')}
        text={t('renew.notOwnerText')}
        action={<LinkButton to={`/s/${identity}`}>{t('renew.back')}</LinkButton>}
      />
    )
  if (data !== undefined) return <Plans quote={data} />
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <Card>
      <SkeletonText lines={8} />
    </Card>
  )
}

export type Choice = { when: 'now' } | { when: 'period_end' } | { when: 'now'; period: BillingPeriod }

function Plans({ quote }: { quote: UpgradeQuote }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { server, identity } = useServerPage()
  const changed = useServiceChanged()
  const [bill, setBill] = useState<Bill | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const { data: wallets = [] } = useQuery(walletsQuery(server.owner_id))
  const from = `/s/${identity}/payments/upgrade`

  const choose = (target: UpgradeTarget, choice: Choice) => {
    const name = planName(target.product.id)
    const period = 'period' in choice ? choice.period : undefined
    const key = crypto.randomUUID()
    setDone(null)
    setBill({
      title: t('plans.changeTo', { name }),
      text: choice.when === 'period_end' ? t('plans.laterText') : t('plans.nowText'),
      amount: amountOf(target, choice, quote.currency),
      until:
        period === undefined ? quote.expires : new Date(Date.now() + hoursOfPeriod(period) * 3_600_000).toISOString(),
      confirm: choice.when === 'period_end' ? t('plans.plan') : t('plans.changeTo', { name }),
      run: async (walletId, immediate) => {
        const body: UpgradeBody = {
          product_id: target.product.id,
          wallet_id: walletId,
          when: choice.when,
          immediate,
          ...(period !== undefined && { billing_period: period }),
        }
        const answer = await api(upgradeService, { params: { id: quote.service_id }, body, idempotencyKey: key })
        await changed()
        setDone(
          answer.planned === null
            ? t('plans.changed', { name })
            : t('plans.isPlanned', { name, date: format.dateTime(answer.planned.date) }),
        )
      },
    })
  }
  return (
    <div className={classes['stack']}>
      {done !== null && (
        <p role="status" className={classes['done']}>
          {done}{' '}
          <LinkButton size="small" to={`/s/${identity}/payments`}>
            {t('plans.toPayments')}
          </LinkButton>
        </p>
      )}
      <DebtNotes wallets={wallets} text={t('plans.owedText')} from={from} />
      <div className={classes['plans']}>
        <PlanColumn quote={quote} />
        {quote.upgrade_targets.map((target) => (
          <TargetColumn
            key={target.product.id}
            quote={quote}
            target={target}
            onChoose={(choice) => choose(target, choice)}
          />
        ))}
      </div>
      <PayDialog bill={bill} owner={server.owner_id} from={from} onClose={() => setBill(null)} />
    </div>
  )
}

/** Gross; minus comes back. */
function amountOf(target: UpgradeTarget, choice: Choice, currency: string): { amount: number; currency: string } {
  if (choice.when === 'period_end') return { amount: 0, currency }
  if ('period' in choice)
    return target.billing_periods.find((one) => one.period === choice.period)?.upgrade_price ?? { amount: 0, currency }
  return { amount: (target.upgrade_price?.amount ?? 0) - (target.credit?.amount ?? 0), currency }
}
