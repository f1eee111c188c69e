import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { shopCouponBody, shopGoalBody, shopLimits } from '@wakestone/contract/sales/shop'
import {
  createShopCoupon,
  createShopGoal,
  deleteShopCoupon,
  deleteShopGoal,
} from '@wakestone/contract/sales/shop-routes'
import { type SubmitEvent, useState } from 'react'
import type { z } from 'zod'
import { api } from '#app/api/client.ts'
import { useTranslation } from '#app/i18n/texts.tsx'
import { fromClock } from '#app/i18n/time-zone.ts'
import { useFormat, useTimeZone } from '#app/i18n/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { DialogForm } from '#app/ui/dialog-form.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { ErrorNote } from '#app/ui/error-state.tsx'
import { FieldGrid } from '#app/ui/field-grid.tsx'
import { Modal } from '#app/ui/modal.tsx'
import { Money } from '#app/ui/money.tsx'
import { useReasonText } from '#app/ui/reason-text.ts'
import { readAmount } from './amount.ts'
import classes from './shop.module.css'
import type { ShopPart } from './shop.tsx'

/** Coupons and goals. */
export function DealsTab({ serverId, shop, onChanged }: ShopPart) {
  const { t } = useTranslation()
  const format = useFormat()
  const [made, setMade] = useState<'coupon' | 'goal' | null>(null)
  const [failure, setFailure] = useState<unknown>(undefined)
  const { coupons, goals, currency } = shop
  const remove = async (call: () => Promise<unknown>) => {
    setFailure(undefined)
    try {
      await call()
    } catch (error) {
      setFailure(error)
    }
    await onChanged()
  }
  return (
    <div className={classes['cards']}>
      {failure !== undefined && <ErrorNote error={failure} />}
      <Card
        title={t('shop.owner.coupons')}
        beside={
          <Button
            size="small"
            icon={<IconPlus />}
            why={coupons.length >= shopLimits.coupons ? t('shop.owner.full', { count: shopLimits.coupons }) : undefined}
            onClick={() => setMade('coupon')}
          >
            {t('shop.owner.addCoupon')}
          </Button>
        }
      >
        {coupons.length === 0 ? (
          <EmptyState title={t('shop.owner.noCoupons')} text={t('shop.owner.noCouponsText')} figure="none" />
        ) : (
          <ul className={classes['list']}>
            {coupons.map(({ id, code, percent, amount, uses, used, until }) => (
              <li key={id}>
                <span>
                  <code>{code}</code>{' '}
                  {percent === null ? (
                    <Money value={{ amount: -(amount ?? 0), currency }} />
                  ) : (
                    format.percent(-percent / 100)
                  )}
                  <span className={classes['muted']}>
                    {' · '}
                    {uses === null
                      ? t('shop.owner.used', { count: used })
                      : t('shop.owner.usedOf', { count: used, uses })}
                    {until !== null && ` · ${t('shop.owner.untilTime', { time: format.dateTime(until) })}`}
                  </span>
                </span>
                <Button
                  size="small"
                  look="quiet"
                  icon={<IconTrash />}
                  onClick={() => void remove(() => api(deleteShopCoupon, { params: { id: serverId, coupon_id: id } }))}
                >
                  {t('shop.owner.remove')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card
        title={t('shop.goals')}
        beside={
          <Button
            size="small"
            icon={<IconPlus />}
            why={goals.length >= shopLimits.goals ? t('shop.owner.full', { count: shopLimits.goals }) : undefined}
            onClick={() => setMade('goal')}
          >
            {t('shop.owner.addGoal')}
          </Button>
        }
      >
        {goals.length === 0 ? (
          <EmptyState title={t('shop.owner.noGoals')} text={t('shop.owner.noGoalsText')} figure="none" />
        ) : (
          <ul className={classes['list']}>
            {goals.map(({ id, title, target, reached, reached_at }) => (
              <li key={id}>
                <span>
                  {title}
                  <span className={classes['muted']}>
                    {' · '}
                    <Money value={{ amount: reached, currency }} /> / <Money value={{ amount: target, currency }} />
                    {reached_at !== null && ` · ${t('shop.goalReached')}`}
                  </span>
                </span>
                <Button
                  size="small"
                  look="quiet"
                  icon={<IconTrash />}
                  onClick={() => void remove(() => api(deleteShopGoal, { params: { id: serverId, goal_id: id } }))}
                >
                  {t('shop.owner.remove')}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Card>
      {made === 'coupon' && (
        <CouponDialog serverId={serverId} shop={shop} onClose={() => setMade(null)} onSaved={onChanged} />
      )}
      {made === 'goal' && (
        <GoalDialog serverId={serverId} shop={shop} onClose={() => setMade(null)} onSaved={onChanged} />
      )}
    </div>
  )
}

type Props = Pick<ShopPart, 'serverId' | 'shop'> & { onClose: () => void; onSaved: () => Promise<unknown> }

/** Checks what was typed, and sends it. */
function useSaving<Schema extends z.ZodType>(schema: Schema, { onClose, onSaved }: Pick<Props, 'onClose' | 'onSaved'>) {
  const [reasons, setReasons] = useState<Record<string, string>>({})
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(undefined)
  const save = async (
    event: SubmitEvent<HTMLFormElement>,
    body: unknown,
    send: (body: z.output<Schema>) => Promise<unknown>,
  ) => {
    event.preventDefault()
    setFailure(undefined)
    const parsed = schema.safeParse(body)
    if (!parsed.success)
      return setReasons(
        Object.fromEntries(parsed.error.issues.toReversed().map(({ path, message }) => [String(path[0]), message])),
      )
    setReasons({})
    setBusy(true)
    try {
      await send(parsed.data)
      await onSaved()
      onClose()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return { reasons, busy, failure, save }
}

function CouponDialog({ serverId, shop, ...ends }: Props) {
  const { t } = useTranslation()
  const textOf = useReasonText()
  const timeZone = useTimeZone()
  const { reasons, busy, failure, save } = useSaving(shopCouponBody, ends)
  const [draft, setDraft] = useState({ code: '', value: '', kind: 'percent', item_id: '', uses: '', until: '' })
  const set = (name: keyof typeof draft) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setDraft((before) => ({ ...before, [name]: value }))
  }
  const isPercent = draft.kind === 'percent'
  const body = {
    code: draft.code,
    percent: isPercent ? Number(draft.value) : null,
    amount: isPercent ? null : (readAmount(draft.value) ?? 0),
    item_id: draft.item_id === '' ? null : draft.item_id,
    uses: draft.uses === '' ? null : Number(draft.uses),
    until: fromClock(draft.until, timeZone) ?? null,
  }
  return (
    <Modal opened onClose={ends.onClose} title={t('shop.owner.addCoupon')}>
      <DialogForm
        onSubmit={(event) =>
          save(event, body, (parsed) => api(createShopCoupon, { params: { id: serverId }, body: parsed }))
        }
        onCancel={ends.onClose}
        action={t('settings.save')}
        busy={busy}
        failure={failure}
      >
        <TextInput
          label={t('shop.owner.code')}
          value={draft.code}
          error={textOf(reasons['code'])}
          onChange={set('code')}
        />
        <FieldGrid>
          <NativeSelect
            label={t('shop.owner.couponKind')}
            data={[
              { value: 'percent', label: t('shop.owner.percent') },
              { value: 'amount', label: t('shop.owner.amountIn', { currency: shop.currency }) },
            ]}
            value={draft.kind}
            onChange={set('kind')}
          />
          <TextInput
            label={t('shop.owner.value')}
            inputMode="decimal"
            value={draft.value}
            error={textOf(reasons['percent'] ?? reasons['amount'])}
            onChange={set('value')}
          />
        </FieldGrid>
        <NativeSelect
          label={t('shop.owner.couponFor')}
          data={[
            { value: '', label: t('shop.owner.everything') },
            ...shop.items.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={draft.item_id}
          onChange={set('item_id')}
        />
        <FieldGrid>
          <TextInput
            label={t('shop.owner.uses')}
            description={t('shop.owner.noLimit')}
            inputMode="numeric"
            value={draft.uses}
            error={textOf(reasons['uses'])}
            onChange={set('uses')}
          />
          <TextInput
            type="datetime-local"
            label={t('shop.owner.endsAt')}
            description={t('shop.owner.noEnd')}
            value={draft.until}
            onChange={set('until')}
          />
        </FieldGrid>
        <p className={classes['muted']}>{t('shop.owner.oncePerPlayer')}</p>
      </DialogForm>
    </Modal>
  )
}

function GoalDialog({ serverId, shop, ...ends }: Props) {
  const { t } = useTranslation()
  const textOf = useReasonText()
  const { reasons, busy, failure, save } = useSaving(shopGoalBody, ends)
  const [draft, setDraft] = useState({ title: '', target: '', commands: '' })
  const set = (name: keyof typeof draft) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget
    setDraft((before) => ({ ...before, [name]: value }))
  }
  const commands = draft.commands
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const body = { title: draft.title, target: readAmount(draft.target) ?? 0, commands }
  return (
    <Modal opened onClose={ends.onClose} title={t('shop.owner.addGoal')}>
      <DialogForm
        onSubmit={(event) =>
          save(event, body, (parsed) => api(createShopGoal, { params: { id: serverId }, body: parsed }))
        }
        onCancel={ends.onClose}
        action={t('settings.save')}
        busy={busy}
        failure={failure}
      >
        <TextInput
          label={t('shop.owner.goalTitle')}
          value={draft.title}
          error={textOf(reasons['title'])}
          onChange={set('title')}
        />
        <TextInput
          label={t('shop.owner.target', { currency: shop.currency })}
          inputMode="decimal"
          value={draft.target}
          error={reasons['target'] === undefined ? undefined : textOf('amount')}
          onChange={set('target')}
        />
        <Textarea
          label={t('shop.owner.goalCommands')}
          description={t('shop.owner.goalCommandsHint')}
          autosize
          minRows={2}
          spellCheck={false}
          value={draft.commands}
          error={textOf(reasons['commands'])}
          onChange={set('commands')}
        />
      </DialogForm>
    </Modal>
  )
}
