import { Checkbox } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError } from '@wakestone/contract/client'
import type { PaymentMethod } from '@wakestone/contract/money/transaction'
import { gameOfEngine } from '@wakestone/contract/servers/server'
import { createServer, createServerByVoucher } from '@wakestone/contract/servers/servers-routes'
import { isReservedSubdomain, serverNameSchema, subdomainSchema } from '@wakestone/contract/validation'
import { type SubmitEvent, useEffect, useState } from 'react'
import { DebtNotes, indebted } from '#app/features/payment/debt-notes.tsx'
import { ToppedUpNote } from '#app/features/payment/topped-up-note.tsx'
import { useImmediateConsent } from '#app/features/payment/use-immediate-consent.ts'
import { useImmediateFault } from '#app/features/payment/use-immediate-fault.ts'
import { useImmediateHint } from '#app/features/payment/use-immediate-hint.ts'
import { usePaymentMethods } from '#app/features/payment/use-payment-methods.ts'
import { useSignedInUser } from '#app/features/session/use-user.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useLocation, useNavigate } from 'react-router'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { aboutUser } from '#app/api/stale-answers.ts'
import { getVoucher } from '@wakestone/contract/sales/vouchers-routes'
import { checkDomain } from '@wakestone/contract/servers/domains-routes'
import { useRouteChangeAlert } from '#app/features/route-alert/route-alert.ts'
import { attemptKey, endAttempt } from '#app/features/payment/attempt-key.ts'
import { serverQuery } from '#app/features/servers/server-queries.ts'
import { forgetOrder, rememberOrder } from '#app/features/servers/waiting-order.ts'
import { serverPath } from '#app/features/servers/server-names.ts'
import { rememberTrial } from '#app/features/vouchers/redeemed-trials.ts'
import { voucherQuery } from '#app/features/vouchers/voucher-queries.ts'
import { useLanguage, usePath } from '#app/i18n/use-format.ts'
import { useFirstFault } from '#app/ui/use-first-fault.ts'
import { type Catalogue, completeDraft, type Draft, readDraft, writeDraft } from './draft.ts'
import { GameStep } from './game-step.tsx'
import { NameStep } from './name-step.tsx'
import { PaymentStep } from './payment-step.tsx'
import { type FormPart, placeError } from './place-error.ts'
import { PlanStep } from './plan-step.tsx'
import { PlaceStep } from './place-step.tsx'
import { Summary } from './summary.tsx'
import { useAvailability } from './use-availability.ts'
import { usePrice } from './use-price.ts'
import { useTrial } from './use-trial.ts'
import classes from './create.module.css'

/** What a part of the form shows when the API refused because of it. */
export type PartError = { part: FormPart; error: unknown } | null

/** Keeps the draft and writes it into the address, so that a reload or a detour loses nothing. */
function useDraft(): [Draft, (change: Partial<Draft>) => void] {
  const { search: initial } = useLocation()
  const [draft, setDraft] = useState<Draft>(() => readDraft(new URLSearchParams(initial)))
  useEffect(() => {
    const search = writeDraft(draft, new URLSearchParams(window.location.search))
    // Not a navigation: nothing is loaded, and every letter would be a step of the history.
    window.history.replaceState(
      window.history.state,
      '',
      `${window.location.pathname}${search === '' ? '' : `?${search}`}`,
    )
  }, [draft])
  return [draft, (change) => setDraft((old) => ({ ...old, ...change }))]
}

/** The order form: plan, time, wallet, name and address, place, game, summary. */
export function CreateForm({ catalogue }: { catalogue: Catalogue }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const path = usePath()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [draft, change] = useDraft()
  const [tries, setTries] = useState(0)
  const [wanted, setWanted] = useState<PaymentMethod>('wallet')
  const [isTouched, setTouched] = useState(false)
  const choice = completeDraft(draft, catalogue)
  const others = usePaymentMethods(useSignedInUser().id, choice.wallet?.currency ?? '')
  const zone = choice.cluster?.zone_name
  const [isTyping, setTyping] = useState(false)
  const availability = useAvailability(choice.subdomain, { zone: choice.isFree ? undefined : zone, isTyping })
  const trial = useTrial(draft, change)
  const voucher = useQuery({ ...voucherQuery(draft.voucher ?? ''), enabled: draft.voucher !== null })
  /** The voucher pays for the whole server. */
  const paidBy = voucher.data?.data.new_server === true ? voucher.data : undefined
  const other = choice.isFree || paidBy !== undefined ? undefined : others.find(({ method }) => method === wanted)
  // Before it is known what the code gives, its price would be asked for, which one that pays for all does not have.
  const price = usePrice(choice, { voucher: voucher.isPending ? null : draft.voucher, paidBy, other })
  const from = `${path('/create')}?${writeDraft({ ...draft, wallet: choice.wallet?.id ?? null }, new URLSearchParams())}`
  const [isImmediate, setImmediate] = useImmediateConsent(from)

  const order = useMutation({
    mutationFn: async () => {
      const { plan, wallet, cluster, period, engine, version, subdomain } = choice
      if (
        plan === undefined ||
        wallet === undefined ||
        cluster === undefined ||
        period === undefined ||
        engine === undefined ||
        version === undefined
      )
        throw new TypeError('incomplete')
      const body = {
        name: draft.name.trim(),
        ...(!choice.isFree && { subdomain }),
        cluster_id: cluster.id,
        game: gameOfEngine[engine.id],
        engine: engine.id,
        engine_version: version,
        requested_billing_services: [plan.id],
        billing_period: period,
        currency: wallet.currency,
        wallet_id: wallet.id,
        ...(other !== undefined && { payment_method: other.method }),
        language,
        ...(isImmediate && paidBy === undefined && { immediate: true }),
      }
      const code = draft.voucher
      const idempotencyKey = attemptKey({ ...body, code }, window.sessionStorage)
      if (code === null) return api(createServer, { body, idempotencyKey })
      if (paidBy === undefined) return api(createServer, { body: { ...body, vouchers: [code] }, idempotencyKey })
      return api(createServerByVoucher, { body: { ...body, voucher: code }, idempotencyKey })
    },
    onSuccess: async (server) => {
      endAttempt(window.sessionStorage)
      forgetOrder()
      if (server.testing) rememberTrial(server.product_id)
      queries.setQueryData(serverQuery(server.id).queryKey, server)
      // It is spent: asked for again while this form still shows it, the answer would be a refusal.
      void queries.invalidateQueries({ ...answersOf(getVoucher), refetchType: 'none' })
      void makeStale(queries, ...aboutUser())
      await navigate(serverPath(server))
    },
    onError: (error) => {
      // A definite no ends the attempt; without an answer the same key protects the next try.
      if (error instanceof ApiError && error.status < 500) endAttempt(window.sessionStorage)
      if (error instanceof ApiError && error.body.error === 'email_not_verified') rememberOrder(from)
      void makeStale(queries, ...aboutUser(), answersOf(checkDomain))
    },
  })
  const immediateFault = useImmediateFault(order.error)
  const immediateHint = useImmediateHint()
  const hasPlaces = catalogue.clusters.length > 1 || choice.cluster === undefined
  const isAsked = (part: FormPart) =>
    (part !== 'wallet' || (!choice.isFree && paidBy === undefined)) && (part !== 'cluster' || hasPlaces)
  const part = placeError(order.error)
  const refusal: PartError = order.isError ? { part: isAsked(part) ? part : 'whole', error: order.error } : null

  const nameFault = serverNameSchema.safeParse(draft.name).success
    ? null
    : t(draft.name.trim() === '' ? 'create.faults.no_name' : 'create.faults.server_name')
  const subdomainFault = choice.isFree
    ? null
    : !subdomainSchema.safeParse(choice.subdomain).success
      ? t('create.faults.subdomain')
      : isReservedSubdomain(choice.subdomain) || availability === 'reserved'
        ? t('create.faults.reserved')
        : availability === 'taken'
          ? t('create.faults.taken')
          : null
  const isComplete =
    nameFault === null && subdomainFault === null && choice.period !== undefined && choice.version !== undefined
  useRouteChangeAlert(isTouched && !order.isSuccess)
  const update = (changes: Partial<Draft>) => {
    setTouched(true)
    order.reset()
    change(changes)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTries(tries + 1)
    if (isComplete && !order.isPending) order.mutate()
  }
  const form = useFirstFault(tries)
  const shared = { choice, catalogue, draft, update, refusal }
  return (
    <form ref={form} className={classes.columns} onSubmit={submit} noValidate>
      <div className={classes.steps}>
        <ToppedUpNote />
        <DebtNotes
          wallets={catalogue.wallets}
          text={t('create.owedText')}
          lacking={{ wallet: choice.wallet, missing: other === undefined ? price.missing : 0 }}
          from={from}
        />
        <PlanStep {...shared} />
        {!choice.isFree && paidBy === undefined && (
          <PaymentStep {...shared}>
            {choice.plan !== undefined && (
              <Checkbox
                label={t('withdraw.immediate')}
                description={immediateHint}
                error={immediateFault}
                checked={isImmediate}
                onChange={(event) => setImmediate(event.currentTarget.checked)}
              />
            )}
          </PaymentStep>
        )}
        <NameStep
          {...shared}
          zone={zone}
          availability={availability}
          onTyping={setTyping}
          nameFault={nameFault}
          subdomainFault={subdomainFault}
          isTried={tries > 0}
        />
        {hasPlaces && <PlaceStep {...shared} />}
        <GameStep {...shared} />
      </div>
      <Summary
        choice={choice}
        draft={draft}
        price={price}
        isRefusedToDebtor={(price.gross?.amount ?? 0) > 0 && indebted(catalogue.wallets).length > 0}
        from={from}
        paidBy={paidBy}
        trialRefusal={trial.error}
        onVoucher={(code) => update({ voucher: code })}
        others={others}
        other={other}
        onMethod={setWanted}
        isPending={order.isPending}
        isRefused={tries > 0 && !isComplete}
        refusal={refusal}
      />
    </form>
  )
}
