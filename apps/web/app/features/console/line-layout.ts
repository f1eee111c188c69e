/**
 * Where each line of the console stands when long ones are broken at the width of the view. The console's type is
 * monospaced and lines break at any character, so heights are computed, never measured: that is what lets 10 000
 * lines scroll smoothly.
 */

/** How many character cells a text takes. Letters outside the monospaced face count double: too tall beats cut off. */
export function cellsOf(text: string): number {
  let cells = text.length
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (
      code >= 0x1100 &&
      (code <= 0x115f ||
        (code >= 0x2e80 && code <= 0xd7ff) ||
        (code >= 0xf900 && code <= 0xfaff) ||
        (code >= 0xff00 && code <= 0xff60))
    )
      cells += 1
    else if (code >= 0x2600 && code <= 0x27bf) cells += 1
    else if (code >= 0xd800 && code <= 0xdbff) cells += 1 // with its second half: three cells for an emoji
  }
  return cells
}

export type LineLayout = {
  /** Rows of all lines together. */
  rows: () => number
  /** First row of the line at `index`. */
  rowOf: (index: number) => number
  /** Rows the line at `index` takes. */
  rowsOf: (index: number) => number
  /** Index of the line that covers a row. */
  lineAt: (row: number) => number
  /** Takes over what was appended to and dropped from the lines since the last call. Returns the rows dropped at the front. */
  update: (size: number, dropped: number, textAt: (index: number) => string) => number
  /** Lays everything out anew for another width. */
  resize: (columns: number) => void
}

/** Makes a layout for lines of `columns` cells; `columns` 0 = long lines are not broken. */
export function createLineLayout(initialColumns: number): LineLayout {
  let columns = initialColumns
  // ends[i] = rows up to and with line i, counted since `base`; lines before `start` are gone.
  let ends: number[] = []
  let start = 0
  let firstKey = 0
  const rowsFor = (text: string) => (columns <= 0 ? 1 : Math.max(1, Math.ceil(cellsOf(text) / columns)))
  const endBefore = (index: number) => (start + index === 0 ? 0 : (ends[start + index - 1] ?? 0))
  const origin = () => endBefore(0)

  return {
    rows: () => (ends.at(-1) ?? 0) - origin(),
    rowOf: (index) => endBefore(index) - origin(),
    rowsOf: (index) => (ends[start + index] ?? 0) - endBefore(index),
    lineAt: (row) => {
      const wanted = row + origin()
      let low = 0
      let high = ends.length - start - 1
      while (low < high) {
        const middle = (low + high) >> 1
        if ((ends[start + middle] ?? 0) > wanted) high = middle
        else low = middle + 1
      }
      return Math.max(0, low)
    },
    update: (size, dropped, textAt) => {
      const oldOrigin = origin()
      const kept = Math.max(0, Math.min(ends.length - start, ends.length - start - (dropped - firstKey)))
      const gone = ends.length - start - kept
      start += gone
      firstKey = dropped
      const removed = kept === 0 ? (ends.at(-1) ?? 0) - oldOrigin : origin() - oldOrigin
      if (kept === 0) {
        ends = []
        start = 0
      }
      for (let index = kept; index < size; index += 1) ends.push((ends.at(-1) ?? 0) + rowsFor(textAt(index)))
      if (start > 20_000) {
        const base = origin()
        ends = ends.slice(start).map((end) => end - base)
        start = 0
      }
      return removed
    },
    resize: (next) => {
      if (next === columns) return
      columns = next
      ends = []
      start = 0
    },
  }
}
