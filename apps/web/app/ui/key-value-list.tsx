import type { ReactNode } from 'react'
import classes from './key-value-list.module.css'

/** Names left, values right, a line between. */
export function KeyValueList({ rows }: { rows: readonly { key: string; value: ReactNode }[] }) {
  return (
    <dl className={classes['list']}>
      {rows.map((row) => (
        <div key={row.key} className={classes['row']}>
          <dt>{row.key}</dt>
          <dd>{row.value}</dd>
        </div>
      ))}
    </dl>
  )
}
