import type { ReactNode } from 'react'
import classes from './field-grid.module.css'

/** Fields beside each other, as many as fit: labels, inputs and hints each stand on one line, whatever is missing. */
export function FieldGrid({ children }: { children: ReactNode }) {
  return <div className={classes['grid']}>{children}</div>
}
