import { hashKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ApiClient } from '@wakestone/contract/client'
import { confirmWithdrawal, declareWithdrawal, getWithdrawal } from '@wakestone/contract/sales/withdrawals-routes'
import { filesKeptDays } from '@wakestone/contract/sales/service'
import type { Withdrawal } from '@wakestone/contract/sales/withdrawal'
import { api } from '#app/api/client.ts'
import { walletsQuery } from '#app/api/queries.ts'
import { makeStale, queryOf } from '#app/api/query-of.ts'
import { aboutService, aboutUser, aboutWallet, aboutWithdrawal } from '#app/api/stale-answers.ts'
import { planName } from '#app/features/servers/server-names.ts'
import { useProductName } from '#app/features/servers/use-product-name.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat, usePath } from '#app/i18n/use-format.ts'
import { Button, LinkButton } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DateTime } from '#app/ui/date-time.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorState } from '#app/ui/error-state.tsx'
import { SkeletonText } from '#app/ui/skeleton.tsx'
import { showErrorToast } from '#app/ui/toasts.tsx'
import { WithdrawalFacts, WithdrawDialog } from './withdraw-dialog.tsx'
import classes from './withdraw.module.css'

/** The server or website whose contract is withdrawn from. */
export type WithdrawSubject = {
  kind: 'server' | 'website'
  name: string
  serviceId: string
  /** Where its payments are. */
  payments: string
  /** Until when what is in it is kept once its contract has been withdrawn from; null: it has not. */
  keptUntil: Date | null
  /** Where files can be downloaded until then. */
  files?: string
  /** The list it stands in. */
  list: { to: string; label: string }
  /** What to save before confirming, such as files. */
  keep?: ReactNode
  /** Queries to refetch once the contract, or a part of it, has ended. */
  stale: Parameters<typeof makeStale>[1][]
}

/** From the contract, or, with `latest`, only from what was bought last. */
export const withdrawalQuery = (id: string, { client = api, part }: { client?: ApiClient; part?: 'latest' } = {}) =>
  queryOf(getWithdrawal, { params: { id }, query: { part } }, { client })

/** Withdrawal from the contract, and from what was bought last alone: declared and then confirmed. For its owner. */
export function WithdrawSteps({ subject }: { subject: WithdrawSubject }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(withdrawalQuery(subject.serviceId))
  const { data: latest } = useQuery(withdrawalQuery(subject.serviceId, { part: 'latest' }))
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
      <Done withdrawal={data} subject={subject} />
    ) : data.obstacle === null ? (
      <Form withdrawal={data} subject={subject} />
    ) : (
      <EmptyState
        title={t('withdraw.impossible')}
        text={t(`withdraw.obstacles.${data.obstacle}`)}
        action={<LinkButton to={subject.payments}>{t('withdraw.back')}</LinkButton>}
      />
    )
  return (
    <div className={classes['parts']}>
      {alone?.obstacle === null && <Form withdrawal={alone} subject={subject} part="latest" />}
      {alone?.obstacle === 'withdrawn' && <Done withdrawal={alone} subject={subject} />}
      {(alone === undefined || data.obstacle === null || data.confirmed_at !== null) && own}
    </div>
  )
}

/** Which part is withdrawn from. */
function kindOf({ renewal, change }: Withdrawal): 'contract' | 'renewal' | 'upgrade' | 'addOn' {
  if (change !== null) return change.kind === 'add_on' ? 'addOn' : 'upgrade'
  return renewal === null ? 'contract' : 'renewal'
}

/** What is withdrawn from, and what follows. */
function useAbout({ renewal, change }: Withdrawal, { kind }: WithdrawSubject): string {
  const { t } = useTranslation()
  const format = useFormat()
  const nameOf = useProductName()
  if (change !== null) {
    const words = { product: nameOf(change.product), date: format.date(change.at) }
    return change.kind === 'add_on'
      ? t('withdraw.ofAddOn', words)
      : t('withdraw.ofUpgrade', { ...words, before: planName(change.product_before ?? '') })
  }
  if (renewal === null) return t(`withdraw.${kind}.ends`)
  return t(`withdraw.${kind}.ofRenewal`, { date: format.date(renewal.at), until: format.dateTime(renewal.runs_until) })
}

function Form({ withdrawal, subject, part }: { withdrawal: Withdrawal; subject: WithdrawSubject; part?: 'latest' }) {
  const { t } = useTranslation()
  const format = useFormat()
  const queries = useQueryClient()
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
        ...aboutUser(),
        ...aboutWallet(),
        ...subject.stale,
      )
    },
  })
  const [isAsking, setAsking] = useState(false)
  const declaration = withdrawal.declaration_id
  const about = useAbout(withdrawal, subject)
  return (
    <Card title={t(`withdraw.about.${kind}`, { product: nameOf(withdrawal.change?.product ?? '') })}>
      <WithdrawalFacts withdrawal={withdrawal} subject={subject} withDeadline />
      <div className={classes['words']}>
        <p>{withdrawal.immediate ? t('withdraw.byTime') : t('withdraw.whole')}</p>
        <p>{about}</p>
        {kind === 'contract' && subject.keep !== undefined && <p>{subject.keep}</p>}
      </div>
      <div className={classes['ways']}>
        <Button
          look="danger"
          loading={declare.isPending}
          onClick={() => (declaration === null ? declare.mutate() : setAsking(true))}
        >
          {t(`withdraw.declare.${kind}`)}
        </Button>
        <LinkButton to={subject.payments}>{t('withdraw.back')}</LinkButton>
      </div>
      {declaration !== null && (
        <WithdrawDialog
          opened={isAsking}
          onClose={() => setAsking(false)}
          withdrawal={withdrawal}
          subject={subject}
          title={t(`withdraw.declare.${kind}`)}
          text={
            kind === 'contract'
              ? t(`withdraw.${subject.kind}.deletes`, { date: format.date(Date.now() + filesKeptDays * 86_400_000) })
              : about
          }
          // Ending the whole contract deletes data, so the name has to be typed.
          name={kind === 'contract' ? subject.name : null}
          onConfirm={() => confirm.mutateAsync(declaration)}
        />
      )}
    </Card>
  )
}

function Done({ withdrawal, subject }: { withdrawal: Withdrawal; subject: WithdrawSubject }) {
  const { t } = useTranslation()
  const format = useFormat()
  const path = usePath()
  const user = useSignedInUser()
  const { data: wallets = [] } = useQuery(walletsQuery(user.id))
  const wallet = wallets.find(({ currency }) => currency === withdrawal.refund.currency)
  const isKept = kindOf(withdrawal) === 'contract' && subject.keptUntil !== null
  return (
    <Card title={t('withdraw.done')}>
      <p className={classes['done']} role="status">
        {withdrawal.change !== null
          ? t('withdraw.doneChange', { refund: format.money(withdrawal.refund) })
          : withdrawal.renewal === null
            ? t('withdraw.doneText', { refund: format.money(withdrawal.refund) })
            : t(`withdraw.${subject.kind}.doneRenewal`, {
                refund: format.money(withdrawal.refund),
                until: format.dateTime(withdrawal.renewal.runs_until),
              })}
      </p>
      {withdrawal.confirmed_at !== null && <DateTime value={withdrawal.confirmed_at} />}
      {isKept && (
        <p className={classes['kept']}>
          {t(`withdraw.${subject.kind}.kept`, { date: format.date(subject.keptUntil ?? 0) })}
        </p>
      )}
      <div className={`${classes['ways']} ${classes['next']}`}>
        {isKept && subject.files !== undefined && (
          <LinkButton to={subject.files} look="primary">
            {t('withdraw.download')}
          </LinkButton>
        )}
        {wallet !== undefined && <LinkButton to={path(`/wallets/${wallet.id}`)}>{t('shell.wallet')}</LinkButton>}
        <LinkButton to={subject.list.to}>{subject.list.label}</LinkButton>
      </div>
    </Card>
  )
}
