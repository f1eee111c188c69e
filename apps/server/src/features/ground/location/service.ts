/**
 * Where a visitor is: what they chose, else what an offline database says of their address.
 */
import { readFileSync } from 'node:fs'
import { BlockList, isIPv6 } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type CountryResponse, Reader } from 'mmdb-lib'
import { countryCookie, currencyCookie, isCountry } from '@wakestone/contract/countries'
import { type Currency, walletCurrencies } from '@wakestone/contract/primitives'
import type { LocationSource } from '@wakestone/contract/accounts/user'
import { plainAddress } from '@wakestone/kit/plain-address'
import type { Settings } from '@wakestone/kit/settings'

type LocationSettings = Pick<Settings, 'DEFAULT_COUNTRY' | 'GEO_DATABASE'>
/** The shape of the database that comes with the product, and that of MaxMind's. */
type Entry = { country_code?: string; country?: { iso_code?: string } } | null

const readers = new Map<string, Reader<CountryResponse>>()
/** Reads a database when it is first needed: some 8 MB, 20 ms. */
function openReader(path: string | undefined): Reader<CountryResponse> {
  const file =
    path ?? fileURLToPath(import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'))
  const known = readers.get(file)
  if (known !== undefined) return known
  const reader = new Reader<CountryResponse>(readFileSync(file))
  readers.set(file, reader)
  return reader
}

/** Networks that are in no country, whatever a registry says of them: IANA's special-purpose addresses. */
const nowhere = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
] as const)
  nowhere.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['2001:db8::', 32],
] as const)
  nowhere.addSubnet(network, prefix, 'ipv6')

/** Country of an address, where the database tells one. */
export function findCountry(ip: string, { GEO_DATABASE }: LocationSettings): string | undefined {
  const address = plainAddress(ip)
  if (nowhere.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return undefined
  const entry = openReader(GEO_DATABASE).get(address) as Entry
  const code = entry?.country_code ?? entry?.country?.iso_code
  return isCountry(code) ? code : undefined
}

/** Country of an address, IPv4 or IPv6; the operator's default where it tells none. */
export function countryOf(ip: string, settings: LocationSettings): string {
  return findCountry(ip, settings) ?? settings.DEFAULT_COUNTRY
}

/** What is known of who calls. */
export type Whereabouts = {
  user: { countryCode: string } | undefined
  ip: string
  request: { cookies: Record<string, string | undefined> }
}

/**
 * The country whose prices and VAT a caller is shown. A signed-in user's is that of the account, because that is what
 * they will be charged with; only a visitor's follows their choice.
 */
export function locate(
  { user, ip, request }: Whereabouts,
  settings: LocationSettings,
): { country: string; source: LocationSource } {
  if (user !== undefined) return { country: user.countryCode, source: 'account' }
  const chosen = request.cookies[countryCookie]
  if (isCountry(chosen)) return { country: chosen, source: 'choice' }
  const found = findCountry(ip, settings)
  return found === undefined
    ? { country: settings.DEFAULT_COUNTRY, source: 'default' }
    : { country: found, source: 'address' }
}

const dollarCountries = new Set(['US', 'CA', 'AU', 'NZ', 'MX', 'BR', 'JP', 'KR', 'SG', 'IN'])

/** The currency to offer first: the caller's choice, else what fits the country. */
export function currencyFor({ request }: Pick<Whereabouts, 'request'>, country: string): Currency {
  const chosen = walletCurrencies.find((currency) => currency === request.cookies[currencyCookie])
  if (chosen !== undefined) return chosen
  if (country === 'PL') return 'PLN'
  return dollarCountries.has(country) ? 'USD' : 'EUR'
}
