import classes from './pixel-figure.module.css'

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
    '..oooooo..',
    '.oooooooo.',
    '#ooooooooo',
    '*#oooooooo',
    '##oooooooo',
    '.oooooooo.',
    '..#....#..',
    '..#....#..',
  ],
  owl: [
    '.o........o.',
    '.oo......oo.',
    '.oooooooooo.',
    'oo##oooo##oo',
    'o#**#oo#**#o',
    'o#**#oo#**#o',
    'oo##o##o##oo',
    'ooooo##ooooo',
    'oooooooooooo',
    'oo#o#oo#o#oo',
    '.oooooooooo.',
    '..##....##..',
  ],
  bat: [
    '....o......o....',
    '#...oo....oo...#',
    '##..oooooooo..##',
    '###.o*oooo*o.###',
    '####oooooooo####',
    '#####oo##oo#####',
    '.###.oooooo.###.',
    '..#...oooo...#..',
    '.......oo.......',
  ],
  cat: [
    'o......o......',
    'oo....oo......',
    'oooooooo......',
    'o*oooo*o....oo',
    'oooooooo.....o',
    '.oo##oo......o',
    '..ooooooo...oo',
    '.ooooooooo..o.',
    '.ooooooooooo..',
    '.ooooooooooo..',
    '.oo.oo..oooo..',
    '.##.##..####..',
  ],
  moth: [
    '.oo...#..#...oo.',
    'oooo...##...oooo',
    'ooooo..##..ooooo',
    'oo*oooo##oooo*oo',
    '.oooooo##oooooo.',
    '..oooo.##.oooo..',
    '..o*oo.##.oo*o..',
    '...oo..##..oo...',
    '.......##.......',
  ],
  golem: [
    '...oooooo...',
    '...o*oo*o...',
    '...oooooo...',
    '...oo##oo...',
    'oooooooooooo',
    'oo.oo#ooo.oo',
    'oo.o##ooo.oo',
    'oo.ooo#oo.oo',
    '##.oo##oo.##',
    '...oo..oo...',
    '...oo..oo...',
    '...##..##...',
  ],
} as const
export type FigureName = keyof typeof figures

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
