import { IconMinus, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import classes from './stepper.module.css'

/**
 * One of several numbers, smallest first: stepped through, or typed. What is typed becomes the nearest there is, the
 * greater of two.
 */
export function Stepper({
  label,
  values,
  value,
  unit,
  onChange,
}: {
  label: string
  values: readonly number[]
  value: number
  unit?: string | undefined
  onChange: (value: number) => void
}) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<string | null>(null)
  const at = values.indexOf(value)
  const take = (next: number | undefined) => {
    setTyped(null)
    if (next !== undefined && next !== value) onChange(next)
  }
  const leave = () => {
    if (typed === null) return
    const wanted = Number.parseInt(typed, 10)
    take(Number.isNaN(wanted) ? undefined : nearest(values, wanted))
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      take(values[at + step])
    } else if (event.key === 'Enter') leave()
  }
  return (
    <span className={classes['stepper']} role="group" aria-label={label}>
      <button
        type="button"
        aria-disabled={at === 0 || undefined}
        title={at === 0 ? t('stepper.least') : undefined}
        aria-label={t('stepper.less')}
        onClick={() => take(values[at - 1])}
      >
        <IconMinus size={15} aria-hidden="true" />
      </button>
      <label className={classes['value']}>
        <input
          inputMode="numeric"
          role="spinbutton"
          aria-label={label}
          aria-valuenow={value}
          aria-valuemin={values[0]}
          aria-valuemax={values.at(-1)}
          aria-valuetext={unit === undefined ? undefined : `${value} ${unit}`}
          autoComplete="off"
          value={typed ?? value}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => setTyped(event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 3))}
          onBlur={leave}
          onKeyDown={press}
        />
        {unit !== undefined && <span aria-hidden="true">{unit}</span>}
      </label>
      <button
        type="button"
        aria-disabled={at === values.length - 1 || undefined}
        title={at === values.length - 1 ? t('stepper.most') : undefined}
        aria-label={t('stepper.more')}
        onClick={() => take(values[at + 1])}
      >
        <IconPlus size={15} aria-hidden="true" />
      </button>
    </span>
  )
}

const nearest = (values: readonly number[], wanted: number) =>
  values.toSorted((left, right) => Math.abs(left - wanted) - Math.abs(right - wanted) || right - left)[0]
