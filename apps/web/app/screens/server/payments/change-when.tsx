import { useId } from 'react'
import type { UpgradeQuote } from '@wakestone/contract/sales/service-change'
import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import { Card } from '#app/ui/card.tsx'
import type { Choice, Way } from './change-choice.ts'
import classes from './payments.module.css'

/** When the chosen plan is to begin, each way with what it costs. */
export function ChangeWhen({
  quote,
  ways,
  value,
  onChange,
}: {
  quote: UpgradeQuote
  ways: readonly Way[]
  value: Choice | undefined
  onChange: (choice: Choice) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const name = useId()
  const labelOf = (choice: Choice) =>
    choice === 'now'
      ? t('plans.whenNow')
      : choice === 'period_end'
        ? quote.expires === null
          ? t('plans.whenLater')
          : t('plans.whenLaterOn', { date: format.date(quote.expires) })
        : t('plans.whenNew', { period: t(`create.periods.${choice}`) })
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
