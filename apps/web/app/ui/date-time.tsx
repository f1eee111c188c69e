import { useState } from 'react'
import { useFormat } from '#app/i18n/use-format.ts'

/** `12 grudnia 2026 19:05`, with the relative time on hover. */
export function DateTime({ value, dateOnly = false }: { value: string; dateOnly?: boolean }) {
  const format = useFormat()
  // Made when somebody looks: rendered on the server it would differ in the browser.
  const [relative, setRelative] = useState<string | undefined>(undefined)
  return (
    <time dateTime={value} title={relative} onPointerEnter={() => setRelative(format.relative(value))}>
      {dateOnly ? (
        format.date(value)
      ) : (
        <>
          <span data-long>{format.dateTime(value)}</span>
          {/* In tables of a middling width. */}
          <span data-short hidden>
            {format.shortDateTime(value)}
          </span>
        </>
      )}
    </time>
  )
}

/** A day (`2026-11-20`) that is the same one wherever it is read. */
export function CalendarDay({ value }: { value: string }) {
  const format = useFormat()
  return <time dateTime={value}>{format.calendarDay(value)}</time>
}
