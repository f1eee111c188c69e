import type { ReactNode } from 'react'
import classes from './page-header.module.css'

/** Title of a screen, what stands beside it, and its actions. */
export function PageHeader({
  title,
  beside,
  text,
  actions,
}: {
  title: ReactNode
  beside?: ReactNode
  text?: ReactNode
  actions?: ReactNode
}) {
  return (
    <header className={classes['header']}>
      <div className={classes['words']}>
        <div className={classes['line']}>
          <h1>{title}</h1>
          {beside}
        </div>
        {text !== undefined && <div className={classes['text']}>{text}</div>}
      </div>
      {actions !== undefined && <div className={classes['actions']}>{actions}</div>}
    </header>
  )
}
