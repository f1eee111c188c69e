import { type RefObject, useEffect } from 'react'

const threshold = 100

/**
 * Marks a header as `data-away` while the page is read downwards, past 100 px, and no more once it is scrolled up. An
 * open list holds it; the style sheet holds it for the keyboard's focus.
 */
export function useHidingHeader(header: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let last = window.scrollY
    const follow = () => {
      const box = header.current
      const now = Math.max(0, window.scrollY)
      // A few pixels are a trembling finger.
      if (box === null || Math.abs(now - last) < 4) return
      box.dataset['away'] = String(now > last && now > threshold && box.querySelector('details[open]') === null)
      box.dataset['scrolled'] = String(now > 0)
      last = now
    }
    window.addEventListener('scroll', follow, { passive: true })
    return () => window.removeEventListener('scroll', follow)
  }, [header])
}
