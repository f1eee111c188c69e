import { useEffect, useState } from 'react'

const place = 'wakestone.immediate'

/**
 * The tick that asks for what is ordered to begin at once. It is kept in this tab for the one address that a top-up comes
 * back to: no other page, and no link from elsewhere, opens with it.
 * @param from the address of this order, as a top-up is given it.
 */
export function useImmediateConsent(from: string): [boolean, (value: boolean) => void] {
  const [isAsked, setAsked] = useState(false)
  const [isRead, setRead] = useState(false)
  useEffect(() => {
    setAsked(read() === `${window.location.pathname}${window.location.search}`)
    setRead(true)
  }, [])
  useEffect(() => {
    if (isRead) write(isAsked ? from : null)
  }, [isRead, isAsked, from])
  return [isAsked, setAsked]
}

function read(): string | null {
  try {
    return sessionStorage.getItem(place)
  } catch {
    return null
  }
}

/** Storage may be closed; it is then asked again. */
function write(from: string | null): void {
  try {
    if (from === null) sessionStorage.removeItem(place)
    else sessionStorage.setItem(place, from)
  } catch {}
}
