import { useId } from 'react'
import type { UpgradeQuote, UpgradeTarget } from '@wakestone/contract/sales/service-change'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import { type Choice, endOf, type Way } from './change-choice.ts'
import classes from './payments.module.css'

/** When the chosen plan is to begin, each way with what it costs. */
export function ChangeWhen({
  quote,
  at,
  target,
  ways,
  value,
  onChange,
}: {
  quote: UpgradeQuote
  /** When the quote was made. */
  at: number
  target: UpgradeTarget
  ways: readonly Way[]
  value: Choice | undefined
  onChange: (choice: Choice) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const name = useId()
  const ends = ways.flatMap(({ choice }) => (choice === 'period_end' ? [] : [endOf(choice, quote, at) ?? []].flat()))
  const isSameDay = new Set(ends.map(format.date)).size < ends.length
  const labelOf = (choice: Choice) =>
    choice === 'now'
      ? t('plans.whenNow')
      : choice === 'period_end'
        ? quote.expires === null
          ? t('plans.whenLater')
          : t('plans.whenLaterOn', { date: format.date(quote.expires) })
        : t('plans.whenNew', { period: t(`create.periods.${choice}`) })
  /** Until when it is paid for then; of a later change, what is due on that day. */
  const hintOf = (choice: Choice) => {
    if (choice === 'period_end') {
      const next = target.billing_periods.find(({ period }) => period === quote.billing_period)?.price
      const period = t(`create.periods.${quote.billing_period}`)
      if (next === undefined || quote.added.price === null) return undefined
      const whole = { ...next, amount: next.amount + quote.added.price.amount }
      return t('plans.dueThen', { price: format.money(whole), period })
    }
    const end = endOf(choice, quote, at)
    // Two that end on one day differ by the hour.
    return end === null
      ? undefined
      : t('plans.paidUntil', { date: isSameDay ? format.dateTime(end) : format.date(end) })
  }
  return (
    <Card title={t('plans.when')}>
      <fieldset className={classes['ways']}>
        <legend className="visually-hidden">{t('plans.when')}</legend>
        {ways.map(({ choice, amount, obstacle }) => (
          <label key={choice} className={classes['way']} data-closed={obstacle !== null || undefined}>
            <input
              type="radio"
              name={name}
              value={choice}
              checked={choice === value}
              disabled={obstacle !== null}
              onChange={() => onChange(choice)}
            />
            <span className={classes['name']}>
              <span>{labelOf(choice)}</span>
              {obstacle === null && <small className={classes['muted']}>{hintOf(choice)}</small>}
              {obstacle !== null && (
                <small>{obstacle === 'planned' ? t('plans.alreadyPlanned') : t(`plans.obstacles.${obstacle}`)}</small>
              )}
            </span>
            {obstacle === null && amount !== null && (
              <span className={classes['cost']}>
                {amount.amount < 0
                  ? t('plans.back', { amount: format.money({ ...amount, amount: -amount.amount }) })
                  : format.money(amount)}
              </span>
            )}
          </label>
        ))}
      </fieldset>
    </Card>
  )
}
