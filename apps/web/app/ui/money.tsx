import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import classes from './money.module.css'

type Amount = { amount: number; currency: string }

/** An amount as this visitor writes it. */
export function Money({ value, signed = false }: { value: Amount; signed?: boolean }) {
  const format = useFormat()
  const text = format.money(value)
  return <span className={`tabular ${classes['whole']}`}>{signed && value.amount > 0 ? `+${text}` : text}</span>
}

/** A price: gross, with the VAT in it beneath, unless it is nothing. */
export function Price({
  gross,
  tax,
  rate,
  full = null,
  size = 'normal',
}: {
  gross: Amount
  tax: Amount
  rate: number
  /** What it would cost otherwise: struck out in front. */
  full?: Amount | null
  size?: 'normal' | 'large'
}) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <span className={classes['price']} data-size={size}>
      <span className={classes['gross']}>
        {full !== null && (
          <del className={classes['full']}>
            <span className="visually-hidden">{t('money.insteadOf')} </span>
            {format.money(full)}
          </del>
        )}
        {format.money(gross)}
      </span>
      {gross.amount !== 0 && (
        <span className={classes['tax']}>
          {t('money.vatWithin', { tax: format.money(tax), rate: format.percent(rate) })}
        </span>
      )}
    </span>
  )
}

/** VAT contained in a gross amount, for showing; what is charged is computed by the server. */
export function taxWithin(gross: Amount, rate: number): Amount {
  return { amount: gross.amount - Math.round(gross.amount / (1 + rate)), currency: gross.currency }
}
