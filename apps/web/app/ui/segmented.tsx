import { useId } from 'react'
import classes from './segmented.module.css'

/** A choice of a few, all visible. Radio buttons underneath: arrows move, screen readers know. */
export function Segmented<Value extends string>({
  label,
  options,
  value,
  onChange,
  even = false,
  look = 'pill',
}: {
  label: string
  options: readonly { value: Value; label: React.ReactNode; disabled?: boolean }[]
  value: Value
  onChange: (value: Value) => void
  /** On phones all stand in one line of equal parts, and their words may break. */
  even?: boolean
  /** `tabs`: parts of a page, on one line that scrolls where it is too long. */
  look?: 'pill' | 'tabs'
}) {
  const name = useId()
  return (
    <fieldset className={classes['group']} data-even={even || undefined} data-look={look}>
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={classes['option']}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
