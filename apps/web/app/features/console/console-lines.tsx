import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from '#app/i18n/texts.tsx'
import { ConsoleRow } from './console-row.tsx'
import classes from './console.module.css'
import type { LineView } from './line-view.ts'
import type { Match } from './search.ts'
import { createWindowKeys } from './window-keys.ts'

/** Rows drawn above and below what is seen, so that a fast scroll meets lines. */
const OVERSCAN = 24
/** At the end, where every new line redraws what is in sight, fewer will do. */
const OVERSCAN_AT_END = 6
const SAMPLE = 'x'.repeat(100)

type Props = {
  view: LineView
  /** Rises when lines have come or the search has changed. */
  version: number
  current: Match | null
  isFollowing: boolean
  onFollow: (isFollowing: boolean) => void
  scrollerRef: RefObject<HTMLDivElement | null>
}

/** Height of a row and how many characters fit beside the time; follows the size and the font. */
function useMetrics(
  view: LineView,
  scrollerRef: RefObject<HTMLDivElement | null>,
  sampleRef: RefObject<HTMLSpanElement | null>,
) {
  const [metrics, setMetrics] = useState({ row: 22, height: 400, columns: 80 })
  useLayoutEffect(() => {
    const scroller = scrollerRef.current
    const sample = sampleRef.current
    if (scroller === null || sample === null) return
    const measure = () => {
      const box = sample.getBoundingClientRect()
      const character = box.width / SAMPLE.length
      const textWidth = sample.parentElement?.clientWidth ?? 0
      if (character === 0 || textWidth === 0) return
      const columns = Math.max(10, Math.floor((textWidth + 0.5) / character))
      view.resize(columns)
      setMetrics((old) =>
        old.row === box.height && old.height === scroller.clientHeight && old.columns === columns
          ? old
          : { row: box.height, height: scroller.clientHeight, columns },
      )
    }
    measure()
    void document.fonts.ready.then(measure)
    const observer = new ResizeObserver(measure)
    observer.observe(scroller)
    return () => observer.disconnect()
  }, [view, scrollerRef, sampleRef])
  return metrics
}

/** The lines in sight out of thousands. Follows the newest until the person scrolls up, and again from the end on. */
export function ConsoleLines({ view, version, current, isFollowing, onFollow, scrollerRef }: Props) {
  const { t } = useTranslation()
  const sampleRef = useRef<HTMLSpanElement>(null)
  const lastTop = useRef(0)
  const [top, setTop] = useState(0)
  const { row, height } = useMetrics(view, scrollerRef, sampleRef)
  const removed = useRef(0)
  const seenVersion = useRef(-1)
  if (seenVersion.current !== version) {
    // The view is a mutable store; taking its news over while drawing keeps picture and layout of one age.
    removed.current += view.update()
    seenVersion.current = version
  }
  const rows = view.layout.rows()
  const seenRows = Math.ceil(height / row)
  const shownTop = isFollowing ? rows * row - height : top - removed.current * row
  const overscan = isFollowing ? OVERSCAN_AT_END : OVERSCAN
  const firstRow = Math.max(0, Math.floor(shownTop / row) - overscan)
  const lastRow = Math.min(Math.max(0, rows - 1), firstRow + seenRows + 2 * overscan)
  const firstLine = view.layout.lineAt(firstRow)
  const lastLine = view.layout.lineAt(lastRow)
  const windowKeys = useRef(createWindowKeys())
  const shift = windowKeys.current(view.lines.dropped() + firstLine, view.lines.dropped() + lastLine)
  const drawn = useRef({ first: 0, last: 0 })
  drawn.current = { first: firstRow * row, last: (lastRow + 1) * row }

  useLayoutEffect(() => {
    const scroller = scrollerRef.current
    if (scroller === null) return
    if (isFollowing) scroller.scrollTop = scroller.scrollHeight
    else if (removed.current > 0) {
      // Old lines have left above: what is being read stays where it is.
      scroller.scrollTop -= removed.current * row
      setTop(scroller.scrollTop)
    }
    removed.current = 0
    lastTop.current = scroller.scrollTop
  }, [version, isFollowing, row, height, rows, scrollerRef])

  const onScroll = useCallback(() => {
    const scroller = scrollerRef.current
    if (scroller === null) return
    const fromEnd = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop
    const moved = scroller.scrollTop - lastTop.current
    lastTop.current = scroller.scrollTop
    // Only a person moves up: the view itself goes to the end, and a view that shrinks does not move.
    if (isFollowing ? moved < 0 && fromEnd > row : moved > 0 && fromEnd < row) onFollow(!isFollowing)
    // What is not drawn yet is drawn before the next picture: React would otherwise take its time and show a hole.
    const isDrawn =
      scroller.scrollTop >= drawn.current.first && scroller.scrollTop + scroller.clientHeight <= drawn.current.last
    if (isDrawn || isFollowing) setTop(scroller.scrollTop)
    else flushSync(() => setTop(scroller.scrollTop))
  }, [isFollowing, onFollow, row, scrollerRef])

  // A wheel turned up means "let me read", even before the first pixel has moved.
  useEffect(() => {
    const scroller = scrollerRef.current
    if (scroller === null) return
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0 && scroller.scrollTop > 0) onFollow(false)
    }
    scroller.addEventListener('wheel', onWheel, { passive: true })
    return () => scroller.removeEventListener('wheel', onWheel)
  }, [onFollow, scrollerRef])

  const shown: React.ReactNode[] = []
  for (let index = firstLine; index <= lastLine; index += 1) {
    const entry = view.lines.at(index)
    if (entry === undefined) break
    shown.push(
      <ConsoleRow
        key={entry.key - shift}
        entry={entry}
        rows={view.layout.rowsOf(index)}
        matches={view.search.inLine(entry.key)}
        currentFrom={current?.key === entry.key ? current.from : null}
      />,
    )
  }
  return (
    <div
      ref={scrollerRef}
      className={classes.scroller}
      role="log"
      aria-live="off"
      aria-label={t('console.log')}
      tabIndex={0}
      onScroll={onScroll}
    >
      <div className={classes.sampleRow} aria-hidden>
        <span className={classes.time}>00:00:00</span>
        <span className={classes.text}>
          <span ref={sampleRef} className={classes.sample}>
            {SAMPLE}
          </span>
        </span>
      </div>
      <div style={{ height: rows * row, position: 'relative' }}>
        <div className={classes.window} style={{ transform: `translateY(${view.layout.rowOf(firstLine) * row}px)` }}>
          {shown}
        </div>
      </div>
    </div>
  )
}
