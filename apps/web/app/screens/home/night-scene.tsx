import classes from './night-scene.module.css'
import scene from './scene.svg'

// Places of the stars on a field of 100 × 70; size in tenths.
const stars = [
  [3, 8, 6],
  [9, 22, 4],
  [14, 5, 4],
  [18, 31, 5],
  [22, 13, 6],
  [27, 3, 4],
  [31, 24, 4],
  [36, 9, 5],
  [41, 17, 4],
  [46, 4, 6],
  [52, 12, 4],
  [57, 6, 4],
  [63, 3, 5],
  [68, 14, 4],
  [72, 24, 5],
  [78, 31, 4],
  [84, 36, 5],
  [90, 28, 4],
  [95, 34, 6],
  [97, 18, 4],
  [92, 45, 4],
  [5, 42, 4],
  [2, 58, 5],
  [98, 57, 4],
  [8, 66, 4],
] as const

/** The lantern-lit island under a small moon. The page is there at once; then the light goes on. */
export function NightScene({ label }: { label: string }) {
  return (
    <div className={classes['scene']}>
      <svg className={classes['sky']} viewBox="0 0 100 70" aria-hidden="true">
        {stars.map(([x, y, size]) => (
          <rect key={`${x}-${y}`} x={x} y={y} width={size / 10} height={size / 10} />
        ))}
        <path className={classes['moon']} d="M86 5.4a5.6 5.6 0 1 0 5.9 8.4A4.9 4.9 0 0 1 86 5.4Z" />
      </svg>
      <div className={classes['island']}>
        <img src={scene} width="416" height="371" alt={label} fetchPriority="high" decoding="async" />
        <span className={classes['glow']} />
      </div>
    </div>
  )
}
