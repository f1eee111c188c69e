/** Gathers what arrives between two pictures, so that the page is drawn once per picture however much comes. */

export type FrameBatch<Item> = { add: (item: Item) => void; flush: () => void; cancel: () => void }

/**
 * Calls `deliver` with everything added since the last time, at most once per animation frame. A hidden tab gets no
 * animation frames, so a timer of a quarter of a second delivers there.
 */
export function createFrameBatch<Item>(deliver: (items: Item[]) => void): FrameBatch<Item> {
  let items: Item[] = []
  let frame: number | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  const unschedule = () => {
    if (frame !== null) cancelAnimationFrame(frame)
    if (timer !== null) clearTimeout(timer)
    frame = null
    timer = null
  }
  const flush = () => {
    unschedule()
    if (items.length === 0) return
    const batch = items
    items = []
    deliver(batch)
  }
  return {
    add: (item) => {
      items.push(item)
      if (timer !== null) return
      if (typeof requestAnimationFrame === 'function') frame = requestAnimationFrame(flush)
      timer = setTimeout(flush, 250)
    },
    flush,
    cancel: () => {
      unschedule()
      items = []
    },
  }
}
