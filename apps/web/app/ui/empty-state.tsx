import type { ReactNode } from 'react'
import classes from './empty-state.module.css'
import type { FigureName } from './figures.ts'
import { PixelFigure } from './pixel-figure.tsx'

/** What a list is for, and the one next step. */
export function EmptyState({
  title,
  text,
  action,
  figure = 'lantern',
}: {
  title: string
  text: string
  action?: ReactNode
  figure?: FigureName | 'none'
}) {
  return (
    <div className={classes['empty']}>
      {figure !== 'none' && (
        <div className={classes['figure']}>
          <PixelFigure name={figure} />
        </div>
      )}
      <h2>{title}</h2>
      <p>{text}</p>
      {action !== undefined && <div className={classes['action']}>{action}</div>}
    </div>
  )
}
