import { useEffect, useSyncExternalStore } from 'react'
import { useRouteLoaderData } from 'react-router'
import type { loader } from '#app/root.tsx'
import type { Consent } from './consent.ts'
import { consentState } from './consent-state.ts'

/** What the visitor allows; null until they decide. */
export function useConsent(): Consent | null {
  const kept = useRouteLoaderData<typeof loader>('root')?.consent ?? null
  const { decided } = useSyncExternalStore(consentState.subscribe, consentState.get, consentState.getInitial)
  return decided ?? kept
}

const loaded = new Set<string>()

/**
 * Loads a script once the visitor allows `purpose`, never before. Its host has to be in the content security policy,
 * see `contentPolicy` of the server.
 */
export function useScriptWithConsent(src: string | undefined, purpose: keyof Consent): void {
  const isAllowed = useConsent()?.[purpose] === true
  useEffect(() => {
    if (src === undefined || !isAllowed || loaded.has(src)) return
    loaded.add(src)
    const script = document.createElement('script')
    script.src = src
    script.async = true
    document.head.append(script)
  }, [src, isAllowed])
}
