import { HydrationBoundary, useQuery } from '@tanstack/react-query'
import { IconArrowRight } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { upgradeService } from '@wakestone/contract/sales/billings-routes'
import { getServer } from '@wakestone/contract/servers/servers-routes'
import type { UpgradeBody, UpgradeQuote, UpgradeTarget } from '@wakestone/contract/sales/service-change'
import { randomId } from '#app/api/random-id.ts'
import { api } from '#app/api/client.ts'
import { prefetch } from '#app/api/prefetch.ts'
import { walletsQuery } from '#app/api/queries.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { useImmediateConsent } from '#app/features/payment/use-immediate-consent.ts'
import { ToppedUpNote } from '#app/features/payment/topped-up-note.tsx'
import { upgradeQuery } from '#app/features/servers/plan-queries.ts'
import { planName } from '#app/features/servers/server-names.ts'
import { findServerId } from '#app/features/servers/server-queries.ts'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DoneNote } from '#app/ui/done-note.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import { LimitsPending } from '../limits-pending.tsx'
import { useServerPage } from '../use-server-page.ts'
import type { Route } from './+types/upgrade'
import { type Bill, BillDetails, usePaying } from './bill.tsx'
import { type Choice, choiceIn, endOf, type Way } from './change-choice.ts'
import { ChangeWhen } from './change-when.tsx'
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
  const { data, dataUpdatedAt, error, refetch } = useQuery({ ...upgradeQuery(server.service_id), enabled: isOwner })
  if (!isOwner)
    return (
      <EmptyState
        title={t('plans.notOwner')}
        text={t('renew.notOwnerText')}
        action={<LinkButton to={`/s/${identity}`}>{t('renew.back')}</LinkButton>}
      />
    )
  if (data !== undefined) return <Plans quote={data} at={dataUpdatedAt} />
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <Card>
      <SkeletonText lines={8} />
    </Card>
  )
}

function Plans({
  quote,
  at,
}: {
  quote: UpgradeQuote
  /** When it was made; what begins now begins then. */
  at: number
}) {
  const { t } = useTranslation()
  const { identity } = useServerPage()
  const [done, setDone] = useState<string | null>(null)
  const [search, setSearch] = useSearchParams()
  const chosen = choiceIn(search, quote, at)
  // A top-up comes back to the same choice.
  const from = `/s/${identity}/payments/upgrade${search.size === 0 ? '' : `?${search}`}`
  const choose = (choice: { plan: string; when?: Choice }) => {
    setDone(null)
    setSearch(new URLSearchParams(choice), { replace: true, preventScrollReset: true })
  }
  return (
    <div className={classes['stack']}>
      <ToppedUpNote />
      {done !== null && (
        <DoneNote
          more={
            <>
              <LimitsPending />
              <Link to={`/s/${identity}/payments`}>{t('plans.toPayments')}</Link>
            </>
          }
        >
          {done}
        </DoneNote>
      )}
      <div className={classes['plans']}>
        <PlanColumn quote={quote} />
        {quote.upgrade_targets.map((target) => (
          <TargetColumn
            key={target.product.id}
            quote={quote}
            target={target}
            isChosen={target === chosen?.target}
            onChoose={
              quote.upgrade_targets.length > 1 || chosen === null
                ? () => choose({ plan: target.product.id })
                : undefined
            }
          />
        ))}
      </div>
      {chosen !== null && (
        <div className={classes['columns']}>
          <ChangeWhen
            quote={quote}
            at={at}
            target={chosen.target}
            ways={chosen.ways}
            value={chosen.way?.choice}
            onChange={(when) => choose({ plan: chosen.target.product.id, when })}
          />
          <ChangeSummary quote={quote} at={at} target={chosen.target} way={chosen.way} from={from} onDone={setDone} />
        </div>
      )}
    </div>
  )
}

const hasMysql = ({ parameters }: UpgradeQuote['product']) => (parameters.mysql ?? 0) > 0

/** What is about to happen, and the one button that does it. */
function ChangeSummary({
  quote,
  at,
  target,
  way,
  from,
  onDone,
}: {
  quote: UpgradeQuote
  at: number
  target: UpgradeTarget
  way: Way | undefined
  from: string
  onDone: (text: string) => void
}) {
  const { t } = useTranslation()
  const names = { from: planName(quote.product.id), to: planName(target.product.id) }
  return (
    <Card title={t('plans.summary')} aria-live="polite">
      <div className={classes['plan']}>
        <p className={classes['names']}>
          <span>{names.from}</span>
          <IconArrowRight size={18} aria-label={t('plans.to')} />
          <strong>{names.to}</strong>
        </p>
        {way === undefined || way.amount === null ? (
          <p className={classes['muted']}>{t('plans.noWay')}</p>
        ) : (
          // A different price is a new order, with its own consent and error.
          <>
            {hasMysql(quote.product) && !hasMysql(target.product) && (
              <p className={classes['loses']}>{t('plans.losesMysql', { name: names.to })}</p>
            )}
            <ChangeOrder
              key={`${target.product.id} ${way.choice} ${way.amount.amount}`}
              quote={quote}
              at={at}
              target={target}
              choice={way.choice}
              amount={way.amount}
              from={from}
              onDone={onDone}
            />
          </>
        )}
      </div>
    </Card>
  )
}

function ChangeOrder({
  quote,
  at,
  target,
  choice,
  amount,
  from,
  onDone,
}: {
  quote: UpgradeQuote
  at: number
  target: UpgradeTarget
  choice: Choice
  amount: Bill['amount']
  from: string
  onDone: (text: string) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { server } = useServerPage()
  const changed = useServiceChanged()
  const [key] = useState(randomId)
  const name = planName(target.product.id)
  const period = choice === 'now' || choice === 'period_end' ? undefined : choice
  const bill: Bill = {
    key,
    title: t('plans.changeTo', { name }),
    text:
      choice === 'period_end'
        ? t('plans.laterText')
        : target.direction === 'up'
          ? t('plans.nowText')
          : t('plans.nowSmallerText'),
    amount,
    until: period === undefined ? null : endOf(choice, quote, at),
    confirm: choice === 'period_end' ? t('plans.plan') : t('plans.changeTo', { name }),
    run: async (walletId, immediate) => {
      const body: UpgradeBody = {
        product_id: target.product.id,
        wallet_id: walletId,
        when: choice === 'period_end' ? choice : 'now',
        immediate,
        ...(period !== undefined && { billing_period: period }),
      }
      const answer = await api(upgradeService, { params: { id: quote.service_id }, body, idempotencyKey: key })
      await changed()
      onDone(
        answer.planned === null
          ? t('plans.changed', { name })
          : t('plans.isPlanned', { name, date: format.dateTime(answer.planned.date) }),
      )
    },
  }
  const consent = useImmediateConsent(from)
  const paying = usePaying({ bill, owner: server.owner_id, consent, onClose: () => {} })
  return (
    <>
      <BillDetails bill={bill} paying={paying} from={from} />
      <Button look="primary" fullWidth loading={paying.isBusy} why={paying.why} onClick={() => void paying.confirm()}>
        {paying.label}
      </Button>
    </>
  )
}
