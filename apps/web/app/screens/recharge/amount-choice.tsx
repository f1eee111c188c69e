import { useTranslation } from '#app/i18n/texts.tsx'
import { useFormat } from '#app/i18n/use-format.ts'
import classes from './recharge.module.css'

const presets = { PLN: [20, 50, 100, 200], EUR: [5, 10, 25, 50], USD: [5, 10, 25, 50] } as const

/** Amounts that most people choose, within the limits of the payment method. */
export function AmountChoice({
  currency,
  digits,
  amount,
  limits,
  onChoose,
}: {
  currency: keyof typeof presets
  digits: number
  amount: number | null
  limits: { minimum: number; maximum: number }
  onChoose: (typed: string) => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const inMinor = (whole: number) => whole * 10 ** digits
  return (
    <div className={classes['presets']} role="group" aria-label={t('recharge.amount')}>
      {presets[currency]
        .filter((whole) => inMinor(whole) >= limits.minimum && inMinor(whole) <= limits.maximum)
        .map((whole) => (
          <button
            key={whole}
            type="button"
            className={classes['preset']}
            aria-pressed={amount === inMinor(whole)}
            onClick={() => onChoose(String(whole))}
          >
            {format.price({ amount: inMinor(whole), currency })}
          </button>
        ))}
    </div>
  )
}
