import type { ReactNode } from 'react'
import classes from './home.module.css'

/** One part of the page: a heading, perhaps a line beneath, and what it is about. */
export function Section({
  id,
  title,
  beside,
  text,
  children,
}: {
  id?: string
  title: ReactNode
  /** Controls at the other end of the heading's line. */
  beside?: ReactNode
  text?: ReactNode
  children: ReactNode
}) {
  return (
    <section id={id} className={classes['section']}>
      <div className={classes['wrap']}>
        <div className={classes['head']}>
          <h2>{title}</h2>
          {beside}
        </div>
        {text !== undefined && <p className={classes['under']}>{text}</p>}
        {children}
      </div>
    </section>
  )
}
