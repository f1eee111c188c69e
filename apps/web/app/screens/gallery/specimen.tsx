import type { ReactNode } from 'react'
import classes from './gallery.module.css'

/** One state of a component, with its name above it. `wide` takes the whole width. */
export function Specimen({ name, wide = false, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={classes['specimen']} data-wide={wide}>
      <div className={classes['name']}>{name}</div>
      {children}
    </div>
  )
}
