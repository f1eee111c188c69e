/** Who sent a visitor: kept for the session, until an account asks. */
const partnerKey = 'redirected-from'
const referralKey = 'referrer-code'

export function readReferralCode(): string | null {
  try {
    return sessionStorage.getItem(referralKey)
  } catch {
    return null
  }
}

export function forgetReferralCode(): void {
  try {
    sessionStorage.removeItem(referralKey)
  } catch {
    // It was never kept.
  }
}

/** Notes the partner whose marker is in `utm_source`, and a customer's referral code in `ref`. */
export function rememberVisitSource(search: string, partnerMarker: string | undefined): void {
  const query = new URLSearchParams(search)
  const source = query.get('utm_source')
  const code = query.get('ref')
  try {
    if (source !== null && source === partnerMarker) sessionStorage.setItem(partnerKey, source)
    if (code !== null && /^[\w-]{3,32}$/.test(code) && sessionStorage.getItem(referralKey) !== code) {
      sessionStorage.setItem(referralKey, code)
      // Counted without telling who it was; nobody waits for it.
      void fetch(`/api/v1/users/refs/${code}/click`, { method: 'POST', keepalive: true }).catch(() => undefined)
    }
  } catch {
    // Without storage nobody is credited.
  }
}
