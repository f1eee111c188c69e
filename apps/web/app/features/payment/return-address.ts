/** Where somebody was when a payment took them away: kept in this tab, by transaction. */
const prefix = 'return-after:'

/** `from` is an address of ours, such as the form of a new server. */
export function rememberReturn(transactionId: string, from: string | null): void {
  if (from === null) return
  try {
    sessionStorage.setItem(prefix + transactionId, from)
  } catch {
    // Storage may be closed; the payer then goes to the wallet.
  }
}

/** Once it was used: the payment may be looked at again later, and nobody is to be taken away then. */
export function forgetReturn(transactionId: string): void {
  try {
    sessionStorage.removeItem(prefix + transactionId)
  } catch {
    // Then there is none either.
  }
}

/** The address, if it is a local one. */
export function findReturn(transactionId: string): string | null {
  try {
    const from = sessionStorage.getItem(prefix + transactionId)
    return from !== null && /^\/(?![/\\])/.test(from) ? from : null
  } catch {
    return null
  }
}
