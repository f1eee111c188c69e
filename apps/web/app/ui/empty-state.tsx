import type { ReactNode } from 'react'
import classes from './empty-state.module.css'
import { type FigureName, PixelFigure } from './pixel-figure.tsx'

/** What a list is for, and the one next step. */
export function EmptyState({
  title,
  text,
  action,
  figure = 'lantern',
  isPage = false,
}: {
  title: string
  text: string
  action?: ReactNode
  figure?: FigureName | 'none'
  /** There is nothing else on the page, so this is its heading. */
  isPage?: boolean
}) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className={classes['empty']}>
      {figure !== 'none' && (
        <div className={classes['figure']}>
          <PixelFigure name={figure} />
        </div>
      )}
      <Heading>{title}</Heading>
      <p>{text}</p>
      {action !== undefined && <div className={classes['action']}>{action}</div>}
    </div>
  )
}
