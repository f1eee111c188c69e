import { useFormat } from '#app/i18n/use-format.ts'
import classes from './feedback.module.css'

/** How often each of a few was named. */
export function Bars({ rows, sorted = false }: { rows: readonly { name: string; count: number }[]; sorted?: boolean }) {
  const format = useFormat()
  const most = Math.max(1, ...rows.map(({ count }) => count))
  const shown = sorted ? rows.toSorted((one, other) => other.count - one.count) : rows
  return (
    <ul className={classes['bars']}>
      {shown.map(({ name, count }) => (
        <li key={name}>
          <span>{name}</span>
          <span className={classes['bar']} aria-hidden="true">
            <i style={{ width: `${(count / most) * 100}%` }} />
          </span>
          <b className="tabular">{format.number(count)}</b>
        </li>
      ))}
    </ul>
  )
}
