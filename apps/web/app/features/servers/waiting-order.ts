/** An order that waits for its customer's e-mail to be confirmed, often in another tab: the address of its form. */
const name = 'waiting-order'
const longestWait = 24 * 3_600_000

export function rememberOrder(address: string): void {
  try {
    localStorage.setItem(name, JSON.stringify({ address, at: Date.now() }))
  } catch {
    // Storage may be closed; the form is then filled in again.
  }
}

export function forgetOrder(): void {
  try {
    localStorage.removeItem(name)
  } catch {
    // Then there is none either.
  }
}

/** The address of the form, if it is a local one and not from long ago. */
export function findWaitingOrder(): string | null {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? 'null') as { address: string; at: number } | null
    const isOurs = kept !== null && /^\/[a-z]{2}\/create\?/.test(kept.address)
    return isOurs && Date.now() - kept.at < longestWait ? kept.address : null
  } catch {
    return null
  }
}
