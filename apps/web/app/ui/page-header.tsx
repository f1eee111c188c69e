import type { ReactNode } from 'react'
import { HelpLink } from './help-link.tsx'
import classes from './page-header.module.css'

/** Title of a screen, what stands beside it, the way to what explains it, and its actions. */
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
          <HelpLink />
        </div>
        {text !== undefined && <div className={classes['text']}>{text}</div>}
      </div>
      {actions !== undefined && <div className={classes['actions']}>{actions}</div>}
    </header>
  )
}
