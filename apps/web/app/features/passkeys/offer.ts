/**
 * Passkeys among what the browser fills in by itself (WebAuthn, conditional mediation): asked for quietly while the form
 * is open. Loaded when the visitor stirs, and only where the browser can do it.
 */
import { beginPasskeyLogin, loginWithPasskey } from '@wakestone/contract/accounts/security-routes'
import { api } from '#app/api/client.ts'
import { callAfterPrompt, isPrompting, signFromAutofill, stopAutofill } from './ask.ts'

/** What was asked is good for five minutes. */
const renewMilliseconds = 4 * 60_000

export type Offer = { onSignedIn: () => void; onRefused: (error: unknown) => void }

/**
 * Offers until it is ended. Asks anew when the page is looked at again: another tab may have asked meanwhile, and of one
 * browser the last question counts.
 * @returns ends it.
 */
export function offerPasskeys({ onSignedIn, onRefused }: Offer): () => void {
  let isEnded = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const offer = async () => {
    clearTimeout(timer)
    if (isEnded) return
    timer = setTimeout(() => void offer(), renewMilliseconds)
    if (document.visibilityState === 'hidden' || isPrompting()) return
    // Whatever goes wrong here, the visitor asked for nothing: the form and the button are still there.
    const asked = await api(beginPasskeyLogin, {}).catch(() => undefined)
    if (asked === undefined || isEnded || isPrompting()) return
    const response = await signFromAutofill(asked).catch(() => undefined)
    if (response === undefined) return
    try {
      await api(loginWithPasskey, { body: { response } })
      onSignedIn()
    } catch (error) {
      onRefused(error)
      void offer()
    }
  }
  const look = () => void offer()
  document.addEventListener('visibilitychange', look)
  callAfterPrompt(look) // which has ended the quieter question
  look()
  return () => {
    isEnded = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
    callAfterPrompt(() => {})
    stopAutofill()
  }
}
