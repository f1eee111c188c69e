import { getFlagValues } from '@wakestone/contract/site/flags-routes'
import type { Language } from '#app/i18n/languages.ts'
import type { WebContext } from '#app/load-context.ts'

type Values = ReturnType<typeof ask>
const asked = new WeakMap<WebContext, Values>()

const ask = (api: WebContext['api'], language: Language) => api(getFlagValues, { query: { language } })

/** One call per rendering: each call gives a visitor without a key a new one. */
export function loadFlagValues(web: WebContext, language: Language): Values {
  const known = asked.get(web)
  if (known !== undefined) return known
  const values = ask(web.api, language)
  asked.set(web, values)
  return values
}
