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

const arrived = 'arrived-at'
type Arrived = { page: string; amount: number; currency: string }

/** That a top-up came in and its payer goes on to `address` now, whose page says so once. `amount` in minor units. */
export function announceTopUp(address: string, { amount, currency }: Omit<Arrived, 'page'>): void {
  try {
    const [page = ''] = address.split('?')
    sessionStorage.setItem(arrived, JSON.stringify({ page, amount, currency } satisfies Arrived))
  } catch {
    // Storage may be closed; the form shows the balance all the same.
  }
}

/** The top-up that was announced to the page at `page`; told once. */
export function takeTopUp(page: string): Omit<Arrived, 'page'> | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(arrived) ?? 'null') as Arrived | null
    if (kept === null || kept.page !== page) return null
    sessionStorage.removeItem(arrived)
    return kept
  } catch {
    return null
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
