import { useMemo } from 'react'
import { countries } from '@wakestone/contract/countries'
import { localeOf } from '#app/i18n/languages.ts'
import { useLanguage } from '#app/i18n/use-format.ts'

/** What a country is called in the page's language. */
export function useCountryName(): (code: string) => string {
  const language = useLanguage()
  return useMemo(() => {
    const names = new Intl.DisplayNames(localeOf[language], { type: 'region' })
    return (code) => names.of(code) ?? code
  }, [language])
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
