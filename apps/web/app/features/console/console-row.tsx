import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './console.module.css'
import { segmentsOf } from './line-view.ts'
import type { ConsoleEntry } from './log-line.ts'
import type { Match } from './search.ts'

// Made once: `toLocaleTimeString` makes a formatter per call, which at 5 000 lines a second is the whole budget.
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** Local time of day of a line. */
export function timeOfDay(time: number): string {
  return clock.format(time)
}

type Props = { entry: ConsoleEntry; rows: number; matches: readonly Match[]; currentFrom: number | null }

/** One line. Its text reaches the page as text nodes only. */
export const ConsoleRow = memo(function ConsoleRow({ entry, rows, matches, currentFrom }: Props) {
  const { t } = useTranslation()
  if (entry.tone === 'gap') {
    return (
      <div className={classes.gap} data-rows={rows}>
        {t('console.missing', { count: entry.missing })}
      </div>
    )
  }
  return (
    <div
      className={classes.row}
      data-tone={entry.tone}
      style={rows > 1 ? { height: `calc(var(--row) * ${rows})` } : undefined}
    >
      <span className={classes.time}>{timeOfDay(entry.time)}</span>
      <span className={classes.text}>
        {segmentsOf(entry, matches, currentFrom).map((segment, index) => {
          const span = entry.spans[segment.span]
          const style =
            span === undefined
              ? ''
              : [
                  span.colour,
                  span.bold && 'bold',
                  span.dim && 'dim',
                  span.italic && 'italic',
                  span.underline && 'underline',
                ]
                  .filter(Boolean)
                  .join(' ')
          const Tag = segment.mark === 'none' ? 'span' : 'mark'
          return (
            <Tag
              key={index}
              data-ansi={style === '' ? undefined : style}
              data-mark={segment.mark === 'current' ? 'current' : undefined}
            >
              {segment.text}
            </Tag>
          )
        })}
      </span>
    </div>
  )
})
