import type { ReactNode } from 'react'
import classes from './empty-state.module.css'
import type { FigureName } from './figures.ts'
import { PixelFigure } from './pixel-figure.tsx'

/** What a list is for, and the one next step. */
export function EmptyState({
  title,
  text,
  note,
  action,
  figure = 'lantern',
}: {
  title: string
  text: string
  /** What is to be known before the step is taken. */
  note?: string | undefined
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
      {note !== undefined && <p>{note}</p>}
      {action !== undefined && <div className={classes['action']}>{action}</div>}
    </div>
  )
}
