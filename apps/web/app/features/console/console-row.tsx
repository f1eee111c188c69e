import { memo } from 'react'
import { useTranslation } from '#app/i18n/texts.tsx'
import type { AnsiSpan } from './ansi.ts'
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
  if (entry.tone === 'gap') return <GapRow missing={entry.missing} />
  const only = entry.spans[0]
  const isPlain = matches.length === 0 && entry.spans.length === 1 && only !== undefined && styleOf(only) === undefined
  return (
    <div
      className={classes.row}
      data-tone={entry.tone}
      style={rows > 1 ? { height: `calc(var(--row) * ${rows})` } : undefined}
    >
      <span className={classes.time}>{timeOfDay(entry.time)}</span>
      <span className={classes.text}>
        {isPlain ? entry.text : <StyledText entry={entry} matches={matches} currentFrom={currentFrom} />}
      </span>
    </div>
  )
})

/** The names by which `console.module.css` colours a run; undefined for a plain one. */
function styleOf(span: AnsiSpan): string | undefined {
  const names = [
    span.colour,
    span.bold && 'bold',
    span.dim && 'dim',
    span.italic && 'italic',
    span.underline && 'underline',
  ]
  return names.some(Boolean) ? names.filter(Boolean).join(' ') : undefined
}

function StyledText({ entry, matches, currentFrom }: Omit<Props, 'rows'>) {
  return segmentsOf(entry, matches, currentFrom).map((segment, index) => {
    const span = entry.spans[segment.span]
    const Tag = segment.mark === 'none' ? 'span' : 'mark'
    return (
      <Tag
        key={index}
        data-ansi={span === undefined ? undefined : styleOf(span)}
        data-mark={segment.mark === 'current' ? 'current' : undefined}
      >
        {segment.text}
      </Tag>
    )
  })
}

function GapRow({ missing }: { missing: number }) {
  const { t } = useTranslation()
  return <div className={classes.gap}>{t('console.missing', { count: missing })}</div>
}
