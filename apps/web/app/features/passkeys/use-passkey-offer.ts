import { useEffect, useRef } from 'react'
import type { Offer } from './offer.ts'

const stirrings = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const

/**
 * Has the browser offer passkeys in the field whose `autoComplete` ends with `webauthn`, from the moment the visitor
 * stirs: nothing is loaded for who only looks.
 */
export function usePasskeyOffer(offer: Offer): void {
  const latest = useRef(offer)
  latest.current = offer
  useEffect(() => {
    let end: (() => void) | undefined
    let isGone = false
    const forget = () => {
      for (const stirring of stirrings) document.removeEventListener(stirring, begin)
    }
    const begin = () => {
      forget()
      void start()
    }
    const start = async () => {
      if (typeof PublicKeyCredential === 'undefined') return
      if ((await PublicKeyCredential.isConditionalMediationAvailable?.()) !== true) return
      const { offerPasskeys } = await import('./offer.ts')
      if (isGone) return
      end = offerPasskeys({
        onSignedIn: () => latest.current.onSignedIn(),
        onRefused: (error) => latest.current.onRefused(error),
      })
    }
    for (const stirring of stirrings) document.addEventListener(stirring, begin)
    return () => {
      isGone = true
      forget()
      end?.()
    }
  }, [])
}
