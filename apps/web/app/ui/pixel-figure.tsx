import { type FigureName, figures } from './figures.ts'
import classes from './pixel-figure.module.css'

const colours = { '#': 'var(--figure-dark)', o: 'var(--figure)', '*': 'var(--lantern)' } as const

/** A small creature of the night, as an accent where there is little else to see. */
export function PixelFigure({ name, pixel = 8 }: { name: FigureName; pixel?: number }) {
  const rows = figures[name]
  const width = rows[0].length
  return (
    <svg
      className={classes['figure']}
      viewBox={`0 0 ${width} ${rows.length}`}
      width={width * pixel}
      height={rows.length * pixel}
      shapeRendering="crispEdges"
      aria-hidden="true"
    >
      {Object.entries(colours).map(([character, colour]) => (
        <path key={character} fill={colour} d={outline(rows, character)} />
      ))}
    </svg>
  )
}

/** Runs of one character as bars. */
function outline(rows: readonly string[], character: string): string {
  return rows
    .flatMap((row, y) =>
      Array.from(row.matchAll(new RegExp(`\\${character}+`, 'g')), (run) => {
        const length = run[0].length
        return `M${run.index} ${y}h${length}v1h-${length}z`
      }),
    )
    .join('')
}
