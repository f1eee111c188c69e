/** What a visitor allows, and the cookie that keeps it. */
import { readCookie } from '#app/i18n/cookies.ts'

export const consentCookie = 'ws_consent'
/** Raised when the purposes change: an older choice is asked for again. */
const version = 1

export type Consent = {
  essential: true
  ad_storage: boolean
  analytics_storage: boolean
  ad_user_data: boolean
  ad_personalization: boolean
}

/** The advertising switch moves its three flags together. */
export function createConsent({ analytics, advertising }: { analytics: boolean; advertising: boolean }): Consent {
  return {
    essential: true,
    ad_storage: advertising,
    analytics_storage: analytics,
    ad_user_data: advertising,
    ad_personalization: advertising,
  }
}

/** What was decided, from a `Cookie` header; null for nothing, for an older version and for nonsense. */
export function readConsent(header: string | null): Consent | null {
  const cookie = readCookie(header, consentCookie)
  if (cookie === undefined) return null
  try {
    const kept: unknown = JSON.parse(cookie)
    if (typeof kept !== 'object' || kept === null || !('version' in kept) || kept.version !== version) return null
    const has = (flag: string) => (kept as Record<string, unknown>)[flag] === true
    return {
      essential: true,
      ad_storage: has('ad_storage'),
      analytics_storage: has('analytics_storage'),
      ad_user_data: has('ad_user_data'),
      ad_personalization: has('ad_personalization'),
    }
  } catch {
    return null
  }
}

const year = 365 * 24 * 3600
const month = 30 * 24 * 3600

/** The cookie of a decision, as a `Cookie` header has it; undefined for none. */
export const consentPair = (consent: Consent | null): string | undefined =>
  consent === null ? undefined : `${consentCookie}=${encodeURIComponent(JSON.stringify({ version, ...consent }))}`

/** `Set-Cookie` of a decision: a year if everything was allowed, else a month, after which we ask again. */
export function serializeConsent(consent: Consent, isSecure: boolean): string {
  const seconds = Object.values(consent).every(Boolean) ? year : month
  return `${consentPair(consent)}; Path=/; Max-Age=${seconds}; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

/** The form's answer: a button for all, one for nothing but the essential, or the switches. */
export function consentOfForm(form: FormData): Consent {
  const choice = form.get('choice')
  const isOn = (name: string) => choice === 'all' || (choice === 'chosen' && form.get(name) === 'on')
  return createConsent({ analytics: isOn('analytics'), advertising: isOn('advertising') })
}
