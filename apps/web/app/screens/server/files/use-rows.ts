import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import type { RefObject } from 'react'

/** Rows of a long list, of which only those in sight are rendered. Height in pixels. */
export function useRows(
  box: RefObject<HTMLDivElement | null>,
  { count, height, headHeight = 0 }: { count: number; height: number; headHeight?: number },
): Virtualizer<HTMLDivElement, Element> {
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes our components
  return useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 12,
    scrollPaddingStart: headHeight,
  })
}
