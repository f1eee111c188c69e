/** What this tab has decided since it loaded, and whether the choice was opened again from the footer. */
import { createStore } from '#app/ui/create-store.ts'
import type { Consent } from './consent.ts'

/** `noted`: how many decisions the server has taken in. */
type State = { decided: Consent | null; isReopened: boolean; noted: number }

export const consentState = createStore<State>({ decided: null, isReopened: false, noted: 0 })
let opener: HTMLElement | null = null
const change = (next: Partial<State>) => consentState.set({ ...consentState.get(), ...next })

/** Shows the choice again; afterwards the focus goes back to where it was. */
export function reopenConsent(from: HTMLElement): void {
  opener = from
  change({ isReopened: true })
}

/**
 * Applies a decision at once and has the server keep it: browsers forget cookies that scripts set after a week.
 * Permission that was taken back ends with the page that used it.
 */
export async function decideConsent(form: FormData, decided: Consent, before: Consent | null): Promise<void> {
  change({ decided, isReopened: false })
  opener?.focus()
  opener = null
  const body = new URLSearchParams([...form].map(([name, value]) => [name, String(value)]))
  // The answer leads back to this page, for browsers without scripts; it need not be loaded.
  await fetch('/consent', { method: 'POST', body, redirect: 'manual' })
  change({ noted: consentState.get().noted + 1 })
  const isWithdrawn =
    before !== null && (Object.keys(before) as (keyof Consent)[]).some((flag) => before[flag] && !decided[flag])
  if (isWithdrawn) location.reload()
}
