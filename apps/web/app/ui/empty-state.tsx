import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

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
  figure?: 'lantern' | 'sheep' | 'none'
}) {
  return (
    <div className={classes['empty']}>
      {figure !== 'none' && <PixelFigure rows={figures[figure]} />}
      <h2>{title}</h2>
      <p>{text}</p>
      {action !== undefined && <div className={classes['action']}>{action}</div>}
    </div>
  )
}

// One character per pixel: . nothing, # dark, o line, * light.
const figures = {
  lantern: [
    '....oo....',
    '...o..o...',
    '...oooo...',
    '..oooooo..',
    '..o.**.o..',
    '..o****o..',
    '..o****o..',
    '..o.**.o..',
    '..oooooo..',
  ],
  sheep: [
    '..........',
    '..oooooo..',
    '.oooooooo.',
    '#ooooooooo',
    '*#oooooooo',
    '##oooooooo',
    '.oooooooo.',
    '..#....#..',
    '..#....#..',
  ],
} as const
const colours: Record<string, string> = { '#': 'var(--muted)', o: 'var(--figure)', '*': 'var(--lantern)' }

function PixelFigure({ rows }: { rows: readonly string[] }) {
  return (
    <svg
      className={classes['figure']}
      viewBox={`0 0 10 ${rows.length}`}
      width="80"
      height={rows.length * 8}
      shapeRendering="crispEdges"
      aria-hidden="true"
    >
      {rows.flatMap((row, y) =>
        Array.from(row, (pixel, x) =>
          colours[pixel] === undefined ? null : (
            <rect key={`${x}-${y}`} x={x} y={y} width="1" height="1" fill={colours[pixel]} />
          ),
        ),
      )}
    </svg>
  )
}
