import { useCallback, useMemo } from 'react'
import { countries } from '@wakestone/contract/countries'
import { countryName } from '#app/i18n/format.ts'
import { localeOf } from '#app/i18n/languages.ts'
import { useLanguage } from '#app/i18n/use-format.ts'

/** What a country is called in the page's language. */
export function useCountryName(): (code: string) => string {
  const language = useLanguage()
  return useCallback((code) => countryName(code, language) ?? code, [language])
}

/** Every country with its name: Poland first, then by the alphabet of the page's language. */
export function useCountries(): { code: string; name: string }[] {
  const language = useLanguage()
  const nameOf = useCountryName()
  return useMemo(() => {
    const [first, ...others] = countries.map((code) => ({ code, name: nameOf(code) }))
    const sorted = others.toSorted((a, b) => a.name.localeCompare(b.name, localeOf[language]))
    return first === undefined ? sorted : [first, ...sorted]
  }, [language, nameOf])
}
