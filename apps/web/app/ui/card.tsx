import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import classes from './card.module.css'

/** A raised surface. `title` and `beside` make its head line. */
export function Card({
  title,
  beside,
  children,
  padded = true,
  ...rest
}: { title?: ReactNode; beside?: ReactNode; padded?: boolean; children: ReactNode } & Omit<
  ComponentPropsWithoutRef<'section'>,
  'title'
>) {
  return (
    <section {...rest} className={`${classes['card']} ${rest.className ?? ''}`} data-padded={padded}>
      {title !== undefined && (
        <div className={classes['head']}>
          <h2>{title}</h2>
          {beside !== undefined && <div className={classes['beside']}>{beside}</div>}
        </div>
      )}
      {children}
    </section>
  )
}
