import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * After a change of page the focus is where the new page begins: on its heading, or on what the address names behind
 * its `#`. Otherwise it would be lost with the link that was followed, and a screen reader would say nothing.
 */
export function useFocusOnNavigation(): void {
  const { pathname, hash } = useLocation()
  const last = useRef(pathname + hash)
  useEffect(() => {
    if (last.current === pathname + hash) return
    last.current = pathname + hash
    const content = document.getElementById('content')
    // A page that puts the focus somewhere itself knows better.
    if (hash === '' && content?.contains(document.activeElement)) return
    const target = (hash === '' ? content?.querySelector<HTMLElement>('h1') : findByHash(hash)) ?? content
    if (target === null) return
    if (target.tabIndex < 0) target.tabIndex = -1
    target.focus({ preventScroll: true })
  }, [pathname, hash])
}

function findByHash(hash: string): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)))
  } catch {
    return null
  }
}
