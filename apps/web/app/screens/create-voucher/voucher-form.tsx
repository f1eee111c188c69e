import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { billingPeriods, walletCurrencies } from '@wakestone/contract/primitives'
import { generateVouchers } from '@wakestone/contract/sales/vouchers-routes'
import { engineIds } from '@wakestone/contract/servers/server'
import type { Voucher } from '@wakestone/contract/sales/voucher'
import { voucherCodeLength } from '@wakestone/contract/sales/voucher-code'
import { api } from '#app/api/client.ts'
import { answersOf, makeStale } from '#app/api/query-of.ts'
import { listVoucherGroups, listVouchersOfGroup } from '@wakestone/contract/sales/vouchers-routes'
import { engineName, planName } from '#app/features/servers/server-names.ts'
import { useProductName } from '#app/features/servers/use-product-name.ts'
import { clustersQuery, productsQuery } from '#app/features/servers/server-queries.ts'
import { isAddOn, voucherAddOn } from '#app/features/offers/offer-prices.ts'
import { VoucherEffects } from '#app/features/vouchers/voucher-effects.tsx'
import { useTranslation } from '#app/i18n/texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { Segmented } from '#app/ui/segmented.tsx'
import { useReasonText } from '#app/ui/reason-text.ts'
import { useFirstFault } from '#app/ui/use-first-fault.ts'
import classes from './create-voucher.module.css'
import { effectKinds, emptyDraft, isOnService, readDraft, type VoucherDraft } from './voucher-draft.ts'

type Text = { [Key in keyof VoucherDraft]: VoucherDraft[Key] extends string ? Key : never }[keyof VoucherDraft]

const plans = ['FREE', 'GRASS', 'AMETHYST'] as const

/** What is made: one effect, for whom and how often, and what it looks like to who holds it. */
export function VoucherForm({ onMade }: { onMade: (vouchers: readonly Voucher[]) => void }) {
  const { t } = useTranslation()
  const nameOf = useProductName()
  const queries = useQueryClient()
  const [draft, setDraft] = useState<VoucherDraft>(emptyDraft)
  const [tries, setTries] = useState(0)
  const { data: clusters = [] } = useQuery(clustersQuery())
  const { data: onSale = [] } = useQuery(productsQuery())
  const addOns = [...onSale.filter(isAddOn).map(({ id }) => id), voucherAddOn]
  const read = readDraft(draft)
  const make = useMutation({
    mutationFn: (body: NonNullable<typeof read.body>) => api(generateVouchers, { body }),
    onSuccess: async ({ vouchers }) => {
      await makeStale(queries, answersOf(listVoucherGroups), answersOf(listVouchersOfGroup))
      onMade(vouchers)
    },
  })
  const change = (part: Partial<VoucherDraft>) => {
    make.reset()
    setDraft((old) => ({ ...old, ...part }))
  }
  const form = useFirstFault(tries)
  const reasonText = useReasonText()
  const faultAt = (path: string) => (tries > 0 ? reasonText(read.faults?.[path]) : undefined)
  const field = (name: Text, path: string, more: { hint?: string; type?: string; mono?: boolean } = {}) => (
    <TextInput
      label={t(`makeVouchers.fields.${name as FieldText}`)}
      {...(more.hint !== undefined && { description: more.hint })}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      type={more.type ?? 'text'}
      value={draft[name]}
      maxLength={200}
      autoComplete="off"
      spellCheck={false}
      {...(more.mono === true && { className: classes['mono'] ?? '' })}
      error={faultAt(path)}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  )
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTries(tries + 1)
    if (read.body !== null && !make.isPending) make.mutate(read.body)
  }
  const needsPlan = draft.effect === 'new_cost' || draft.effect === 'new_server'
  const quantity = read.body?.quantity ?? 1
  return (
    <form ref={form} className={classes['columns']} onSubmit={submit} noValidate>
      <Card title={t('makeVouchers.what')}>
        <div className={classes['step']}>
          <Segmented
            label={t('makeVouchers.what')}
            value={draft.effect}
            onChange={(effect) => change({ effect })}
            options={effectKinds.map((kind) => ({ value: kind, label: t(`makeVouchers.effects.${kind}`) }))}
          />
          {(draft.effect === 'add_hours' || draft.effect === 'new_server') && field('hours', 'data.add_hours')}
          {(draft.effect === 'wallet_tx' || draft.effect === 'new_cost') && (
            <Pair>
              {field('amount', `data.${draft.effect}.0.amount`, {
                ...(draft.effect === 'new_cost' && { hint: t('makeVouchers.netHint') }),
              })}
              <NativeSelect
                label={t('makeVouchers.currency')}
                value={draft.currency}
                data={[...walletCurrencies]}
                onChange={(event) => change({ currency: event.currentTarget.value })}
              />
            </Pair>
          )}
          {draft.effect === 'add_product' && (
            <NativeSelect
              label={t('makeVouchers.fields.addOn')}
              description={t('makeVouchers.addOnHint')}
              value={draft.addOn}
              data={[{ value: '', label: '' }, ...addOns.map((id) => ({ value: id, label: nameOf(id) }))]}
              error={faultAt('data.add_product')}
              onChange={(event) => change({ addOn: event.currentTarget.value })}
            />
          )}
          {draft.effect === 'coupon' && (
            <>
              {field('couponName', 'data.coupon.name')}
              {field('expression', 'data.coupon.expression', { hint: t('makeVouchers.expressionHint'), mono: true })}
              <Pair>
                {field('couponHours', 'data.coupon.add_hours_on_renewal')}
                {field('couponUses', 'data.coupon.uses_left', { hint: t('makeVouchers.couponUsesHint') })}
              </Pair>
              {faultAt('data.coupon') !== undefined && (
                <p className={classes['fault']}>{t('makeVouchers.couponEmpty')}</p>
              )}
            </>
          )}
          {isOnService(draft.effect) && (
            <>
              <Checks
                label={t(needsPlan ? 'makeVouchers.plansRequired' : 'makeVouchers.plans')}
                error={
                  faultAt('data.product_id') !== undefined || faultAt('data.new_server') !== undefined
                    ? t('makeVouchers.plansNeeded')
                    : undefined
                }
                options={plans.map((id) => ({ value: id, label: planName(id) }))}
                value={draft.products}
                onChange={(products) => change({ products })}
              />
              <Checks
                label={t('makeVouchers.periods')}
                options={billingPeriods.map((period) => ({ value: period, label: t(`create.periods.${period}`) }))}
                value={draft.periods}
                onChange={(periods) => change({ periods })}
              />
              {clusters.length > 1 && (
                <Checks
                  label={t('makeVouchers.clusters')}
                  options={clusters.map(({ id, metadata }) => ({ value: id, label: metadata.name }))}
                  value={draft.clusters}
                  onChange={(list) => change({ clusters: list })}
                />
              )}
              <Checks
                label={t('makeVouchers.engines')}
                options={engineIds.map((id) => ({ value: id, label: engineName(id) }))}
                value={draft.engines}
                onChange={(engines) => change({ engines })}
              />
            </>
          )}
        </div>
      </Card>
      <div className={classes['parts']}>
        <Card title={t('makeVouchers.howMany')}>
          <div className={classes['step']}>
            <Pair>
              {field('quantity', 'quantity')}
              {field('prefix', 'prefix', { mono: true })}
            </Pair>
            <Pair>
              {field('uses', 'uses_left')}
              {field('perUser', 'per_user')}
            </Pair>
            {field('group', 'group_id', { hint: t('makeVouchers.groupHint') })}
            {field('expires', 'expires', { type: 'date', hint: t('makeVouchers.expiresHint') })}
            {field('comment', 'data.comment')}
          </div>
        </Card>
        <Card title={t('makeVouchers.preview')}>
          <div className={classes['step']}>
            {read.body === null ? (
              <p className={classes['muted']}>{t('makeVouchers.incomplete')}</p>
            ) : (
              <>
                <p className={classes['sample']}>{read.body.prefix + '•'.repeat(voucherCodeLength)}</p>
                <VoucherEffects data={read.body.data} />
              </>
            )}
            {make.error !== null && <ErrorNote error={make.error} title={t('makeVouchers.failed')} />}
            <Button type="submit" look="primary" size="large" fullWidth loading={make.isPending}>
              {t('makeVouchers.make', { count: quantity })}
            </Button>
          </div>
        </Card>
      </div>
    </form>
  )
}

type FieldText = Exclude<Text, 'effect' | 'currency' | 'addOn'>

function Pair({ children }: { children: ReactNode }) {
  return <div className={classes['pair']}>{children}</div>
}

/** Any of a few; none of them means all. */
function Checks({
  label,
  options,
  value,
  error,
  onChange,
}: {
  label: string
  options: readonly { value: string; label: string }[]
  value: string[]
  error?: string | undefined
  onChange: (value: string[]) => void
}) {
  return (
    <Checkbox.Group label={label} value={value} error={error} onChange={onChange}>
      <div className={classes['checks']}>
        {options.map((option) => (
          <Checkbox
            key={option.value}
            value={option.value}
            label={option.label}
            aria-invalid={error !== undefined || undefined}
          />
        ))}
      </div>
    </Checkbox.Group>
  )
}
