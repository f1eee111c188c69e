import { hashKey, HydrationBoundary, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ApiClient } from '@wakestone/contract/client'
import { getServer } from '@wakestone/contract/servers/servers-routes'
import { confirmWithdrawal, declareWithdrawal, getWithdrawal } from '@wakestone/contract/sales/withdrawals-routes'
import { filesKeptDays } from '@wakestone/contract/sales/service'
import type { Withdrawal } from '@wakestone/contract/sales/withdrawal'
import { api } from '#app/api/client.ts'
import { makeStale, queryOf } from '#app/api/query-of.ts'
import { aboutServer, aboutService, aboutUser, aboutWallet, aboutWithdrawal } from '#app/api/stale-answers.ts'
import { prefetch } from '#app/api/prefetch.ts'
import { PageMeta } from '#app/features/page-meta/page-meta.tsx'
import { planName } from '#app/features/servers/server-names.ts'
import { useProductName } from '#app/features/servers/use-product-name.ts'
import { findServerId } from '#app/features/servers/server-queries.ts'
import { requireUser } from '#app/features/session/require-user.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { Trans, useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { webContext } from '#app/load-context.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { PageHeader } from '#app/ui/page-header.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { useServerPage } from '../use-server-page.ts'
import { WithdrawalFacts, WithdrawDialog } from './withdraw-dialog.tsx'
import type { Route } from './+types/withdraw'
import classes from './withdraw.module.css'

/** From the contract, or, with `latest`, only from what was bought last. */
const withdrawalQuery = (id: string, { client = api, part }: { client?: ApiClient; part?: 'latest' } = {}) =>
  queryOf(getWithdrawal, { params: { id }, query: { part } }, { client })

export async function loader({ request, context, params: { identity } }: Route.LoaderArgs) {
  requireUser(request, context)
  const { api: client } = context.get(webContext)
  const serverId = await findServerId(identity, client).catch(() => null)
  if (serverId === null) return { queries: null }
  const server = await client(getServer, { params: { id: serverId } }).catch(() => undefined)
  return {
    queries:
      server === undefined
        ? null
        : await prefetch(
            withdrawalQuery(server.service_id, { client }),
            withdrawalQuery(server.service_id, { client, part: 'latest' }),
          ),
  }
}

/** `/s/{identity}/payments/withdraw`: withdrawal from the contract, declared and then confirmed. */
export default function Withdraw({ loaderData }: Route.ComponentProps) {
  const { t } = useTranslation()
  const { server } = useServerPage()
  return (
    <HydrationBoundary state={loaderData.queries}>
      <PageMeta page="withdraw" title={`${t('withdraw.title')} · ${server.name}`} />
      <PageHeader title={t('withdraw.title')} text={t('withdraw.text')} />
      <Steps />
    </HydrationBoundary>
  )
}

function Steps() {
  const { t } = useTranslation()
  const { server, identity } = useServerPage()
  const user = useSignedInUser()
  const isOwner = user.id === server.owner_id
  const { data, error, refetch } = useQuery({ ...withdrawalQuery(server.service_id), enabled: isOwner })
  const { data: latest } = useQuery({ ...withdrawalQuery(server.service_id, { part: 'latest' }), enabled: isOwner })
  const back = <LinkButton to={`/s/${identity}`}>{t('renew.back')}</LinkButton>
  if (!isOwner) return <EmptyState title={t('withdraw.notOwner')} text={t('withdraw.notOwnerText')} action={back} />
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined)
    return (
      <Card>
        <SkeletonText lines={5} />
      </Card>
    )
  // An upgrade or an add-on can be withdrawn from alone.
  const isShown = latest?.change != null && (latest.obstacle === null || latest.obstacle === 'withdrawn')
  const alone = isShown ? latest : undefined
  const own =
    data.confirmed_at !== null ? (
      <Done withdrawal={data} />
    ) : data.obstacle === null ? (
      <Form withdrawal={data} />
    ) : (
      <EmptyState title={t('withdraw.impossible')} text={t(`withdraw.obstacles.${data.obstacle}`)} action={back} />
    )
  return (
    <div className={classes['parts']}>
      {alone?.obstacle === null && <Form withdrawal={alone} part="latest" />}
      {alone?.obstacle === 'withdrawn' && <Done withdrawal={alone} />}
      {(alone === undefined || data.obstacle === null || data.confirmed_at !== null) && own}
    </div>
  )
}

/** From what. */
function kindOf({ renewal, change }: Withdrawal): 'contract' | 'renewal' | 'upgrade' | 'addOn' {
  if (change !== null) return change.kind === 'add_on' ? 'addOn' : 'upgrade'
  return renewal === null ? 'contract' : 'renewal'
}

/** From what, and what is then. */
function aboutOf(
  { renewal, change }: Withdrawal,
  t: ReturnType<typeof useTranslation>['t'],
  format: ReturnType<typeof useFormat>,
  nameOf: ReturnType<typeof useProductName>,
): string {
  if (change !== null) {
    const words = { product: nameOf(change.product), date: format.date(change.at) }
    return change.kind === 'add_on'
      ? t('withdraw.ofAddOn', words)
      : t('withdraw.ofUpgrade', { ...words, before: planName(change.product_before ?? '') })
  }
  if (renewal === null) return t('withdraw.ends')
  return t('withdraw.ofRenewal', { date: format.date(renewal.at), until: format.dateTime(renewal.runs_until) })
}

function Form({ withdrawal, part }: { withdrawal: Withdrawal; part?: 'latest' }) {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
  const { server, identity } = useServerPage()
  const nameOf = useProductName()
  const kind = kindOf(withdrawal)
  const params = { id: withdrawal.service_id }
  const heard = withdrawalQuery(withdrawal.service_id, part === undefined ? {} : { part }).queryKey
  const settle = (next: Withdrawal) => queries.setQueryData(heard, next)
  const declare = useMutation({
    mutationFn: () => api(declareWithdrawal, { params, query: { part } }),
    onSuccess: (next) => {
      settle(next)
      setAsking(true)
    },
    onError: (error) => showErrorToast(error),
  })
  const confirm = useMutation({
    mutationFn: (id: string) => api(confirmWithdrawal, { params, body: { declaration_id: id } }),
    onSuccess: async (next) => {
      settle(next)
      await makeStale(
        queries,
        // What goes back for the other part is now another sum; of this one we have just heard.
        { ...aboutWithdrawal(withdrawal.service_id), predicate: (query) => query.queryHash !== hashKey(heard) },
        ...aboutService(withdrawal.service_id),
        ...aboutServer(server.id),
        ...aboutUser(server.owner_id),
        ...aboutWallet(),
      )
    },
  })
  const [isAsking, setAsking] = useState(false)
  const declaration = withdrawal.declaration_id
  const about = aboutOf(withdrawal, t, format, nameOf)
  return (
    <Card title={t(`withdraw.about.${kind}`, { product: nameOf(withdrawal.change?.product ?? '') })}>
      <WithdrawalFacts withdrawal={withdrawal} withDeadline />
      <div className={classes['words']}>
        <p>{withdrawal.immediate ? t('withdraw.byTime') : t('withdraw.whole')}</p>
        <p>{about}</p>
        {kind === 'contract' && (
          <p>
            <Trans
              i18nKey="withdraw.keepCopy"
              components={{
                backups: <Link to={`/s/${identity}/backups`} />,
                files: <Link to={`/s/${identity}/files`} />,
              }}
            />
          </p>
        )}
      </div>
      <div className={classes['ways']}>
        <Button
          look="danger"
          loading={declare.isPending}
          onClick={() => (declaration === null ? declare.mutate() : setAsking(true))}
        >
          {t(`withdraw.declare.${kind}`)}
        </Button>
        <LinkButton to={`/s/${identity}/payments`}>{t('withdraw.back')}</LinkButton>
      </div>
      {declaration !== null && (
        <WithdrawDialog
          opened={isAsking}
          onClose={() => setAsking(false)}
          withdrawal={withdrawal}
          title={t(`withdraw.declare.${kind}`)}
          text={
            kind === 'contract'
              ? t('withdraw.deletes', { date: format.date(Date.now() + filesKeptDays * 86_400_000) })
              : about
          }
          // What deletes the server wants its name.
          name={kind === 'contract' ? server.name : null}
          onConfirm={() => confirm.mutateAsync(declaration)}
        />
      )}
    </Card>
  )
}

function Done({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Card title={t('withdraw.done')}>
      <p className={classes['done']} role="status">
        {withdrawal.change !== null
          ? t('withdraw.doneChange', { refund: format.money(withdrawal.refund) })
          : withdrawal.renewal === null
            ? t('withdraw.doneText', { refund: format.money(withdrawal.refund) })
            : t('withdraw.doneRenewal', {
                refund: format.money(withdrawal.refund),
                until: format.dateTime(withdrawal.renewal.runs_until),
              })}
      </p>
      {withdrawal.confirmed_at !== null && <DateTime value={withdrawal.confirmed_at} />}
    </Card>
  )
}
