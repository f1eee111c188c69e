/** Products that were tried from this browser, whoever was signed in: ids in the local storage, comma-separated. */
const key = 'redeemed_free_servers'

export function readRedeemedTrials(): string[] {
  return (window.localStorage.getItem(key) ?? '').split(',').filter((id) => id !== '')
}

export function rememberTrial(productId: string): void {
  window.localStorage.setItem(key, [...new Set([...readRedeemedTrials(), productId])].join(','))
}
