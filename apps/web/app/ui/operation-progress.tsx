import { useFormat } from '#app/i18n/use-format.ts'
import classes from './operation-progress.module.css'

/** How far long work has come and what is happening now. `progress` 0–1; null = not known yet. */
export function OperationProgress({
  label,
  detail,
  progress,
  isCountdown = false,
}: {
  label: string
  detail?: string | null
  progress: number | null
  /** `label` says how much is left; a share of it would say nothing. */
  isCountdown?: boolean
}) {
  const format = useFormat()
  const percent = progress === null ? undefined : Math.round(progress * 100)
  return (
    <div className={classes['operation']}>
      <div className={classes['line']}>
        <span className={classes['label']}>{label}</span>
        {percent !== undefined && !isCountdown && (
          <span className={classes['percent']}>{format.percent(percent / 100)}</span>
        )}
      </div>
      <div
        className={classes['track']}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div
          // Another bar once something is known: it begins there, and only what comes after is animated.
          key={percent ? 'known' : 'waiting'}
          className={classes['bar']}
          data-unknown={percent === undefined}
          style={percent === undefined ? undefined : { width: `${percent}%` }}
        />
      </div>
      {detail && <div className={classes['detail']}>{detail}</div>}
    </div>
  )
}
