import { countries } from '@wakestone/contract/countries'
import { countryName } from '#app/i18n/format.ts'
import { type Language, localeOf } from '#app/i18n/languages.ts'

export type Country = { code: string; name: string }

/**
 * Every country with its name: Poland first, then by the alphabet of a language. The server and a browser call some of
 * them differently: what is drawn on the server has its list from the loader.
 */
export function listCountries(language: Language): Country[] {
  const [first, ...others] = countries.map((code) => ({ code, name: countryName(code, language) ?? code }))
  const sorted = others.toSorted((a, b) => a.name.localeCompare(b.name, localeOf[language]))
  return first === undefined ? sorted : [first, ...sorted]
}
