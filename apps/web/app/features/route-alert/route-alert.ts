/**
 * Asks before a link of the header leaves a screen with something unsaved. A screen turns it on with
 * `useRouteChangeAlert`; headers give `guardRouteChange` their clicks.
 */
import { type MouseEvent, useEffect } from 'react'
import { createStore } from '#app/ui/create-store.ts'

export type RouteChangeTexts = { title?: string; subtitle?: string }
type State = { texts: RouteChangeTexts | null; asked: HTMLAnchorElement | null }

export const routeAlertState = createStore<State>({ texts: null, asked: null })
let isPassing = false
const change = (next: Partial<State>) => routeAlertState.set({ ...routeAlertState.get(), ...next })

/** While `enabled`, leaving through the header is asked about, in these words or the usual ones. */
export function useRouteChangeAlert(enabled: boolean, { title, subtitle }: RouteChangeTexts = {}): void {
  useEffect(() => {
    if (!enabled) return
    change({ texts: { ...(title === undefined ? {} : { title }), ...(subtitle === undefined ? {} : { subtitle }) } })
    return () => change({ texts: null, asked: null })
  }, [enabled, title, subtitle])
}

/** For `onClickCapture` of a header. */
export function guardRouteChange(event: MouseEvent): void {
  if (routeAlertState.get().texts === null || isPassing || event.metaKey || event.ctrlKey || event.shiftKey) return
  const link = (event.target as Element).closest('a')
  if (link === null || link.origin !== location.origin || link.pathname === location.pathname) return
  event.preventDefault()
  event.stopPropagation()
  change({ asked: link })
}

export function stay(): void {
  change({ asked: null })
}

/** Follows the link that was held. `navigate` is for one that has gone since, with the menu it was in. */
export function goOn(navigate: (to: string) => unknown): void {
  const link = routeAlertState.get().asked
  change({ texts: null, asked: null })
  if (link === null) return
  isPassing = true
  if (link.isConnected) link.click()
  else void navigate(link.pathname + link.search + link.hash)
  isPassing = false
}
