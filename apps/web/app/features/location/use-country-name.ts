import { useCallback } from 'react'
import { countryName } from '#app/i18n/format.ts'
import { useLanguage } from '#app/i18n/use-format.ts'

/** What a country is called in the page's language. */
export function useCountryName(): (code: string) => string {
  const language = useLanguage()
  return useCallback((code) => countryName(code, language) ?? code, [language])
}
