/** One view of the lines: their layout at this width, and what is searched for. Kept apart from React for speed and tests. */
import type { ConsoleEntry } from './log-line.ts'
import type { LineBuffer } from './line-buffer.ts'
import { createLineLayout, type LineLayout } from './line-layout.ts'
import { type ConsoleSearch, createConsoleSearch } from './search.ts'

export type LineView = {
  lines: LineBuffer
  layout: LineLayout
  search: ConsoleSearch
  /** Takes new lines over. Returns how many rows have left at the top. */
  update: () => number
  resize: (columns: number) => void
}

/** Makes a view of a buffer. */
export function createLineView(lines: LineBuffer): LineView {
  const layout = createLineLayout(80)
  const search = createConsoleSearch()
  const textAt = (index: number) => lines.at(index)?.text ?? ''
  const update = () => {
    search.update(lines)
    return layout.update(lines.size(), lines.dropped(), textAt)
  }
  return {
    lines,
    layout,
    search,
    update,
    resize: (columns) => {
      layout.resize(columns)
      update()
    },
  }
}

export type Segment = { text: string; span: number; mark: 'none' | 'match' | 'current' }

/** Cuts a line's styled runs at the borders of its matches. */
export function segmentsOf(
  entry: ConsoleEntry,
  matches: readonly { from: number; to: number }[],
  currentFrom: number | null,
): Segment[] {
  const segments: Segment[] = []
  let at = 0
  let next = 0
  entry.spans.forEach((span, index) => {
    const end = at + span.text.length
    let from = at
    while (from < end) {
      while (next < matches.length && (matches[next]?.to ?? 0) <= from) next += 1
      const match = matches[next]
      const isInside = match !== undefined && match.from <= from
      const to = Math.min(end, isInside ? match.to : (match?.from ?? end))
      const mark = isInside ? (match.from === currentFrom ? 'current' : 'match') : 'none'
      segments.push({ text: span.text.slice(from - at, to - at), span: index, mark })
      from = to
    }
    at = end
  })
  return segments
}
