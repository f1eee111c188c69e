import { shortLanguage } from '@wakestone/contract/language'
import type { Language } from '#app/i18n/languages.ts'

/** `isPermanent`: the address alone decides; otherwise the visitor's language does. */
export type LanguageRedirect = { to: string; isPermanent: boolean }

/** What a first path segment must look like to be taken for a language: `fr`, `en-US`, `es_419`, `zh-Hant-TW`. */
const language = /^[a-z]{2}(?:[-_][a-z]{4})?(?:[-_](?:[a-z]{2}|\d{3}))?$/i
const languageAndScript = /^[a-z]{2}[-_][a-z]{4}$/i
const file = /\.[a-z\d]{1,8}$/i

/**
 * Where an address outside the known ones leads, in one step: `/offers` → `/{visitor's}/offers`, `/pl-PL/offers` →
 * `/pl/offers`, `/xx/offers` → `/{visitor's}/offers`, `/pl/offers/` → `/pl/offers`. The result always begins with a
 * language, so it never leaves this host.
 * @returns undefined when the address is right; `missing` for a file that we do not have.
 */
export function findLanguageRedirect(
  { pathname, search }: { pathname: string; search: string },
  spoken: readonly Language[],
  visitors: Language,
): LanguageRedirect | 'missing' | undefined {
  const [first = '', ...rest] = pathname.split('/').filter(Boolean)
  const lead = (segments: readonly string[], isPermanent: boolean) => ({
    to: `/${segments.join('/')}${search}`,
    isPermanent,
  })
  const isSpoken = (spoken as readonly string[]).includes(first)
  if (isSpoken) return pathname === `/${[first, ...rest].join('/')}` ? undefined : lead([first, ...rest], true)
  // A server's own address, which belongs to no language.
  if (first === 's' && rest.length > 0) return undefined
  if (file.test(rest.at(-1) ?? first)) return 'missing'
  if (!language.test(first) || languageAndScript.test(first))
    return lead([visitors, ...(first === '' ? [] : [first, ...rest])], false)
  const short = shortLanguage(first)
  return short !== undefined && spoken.includes(short) ? lead([short, ...rest], true) : lead([visitors, ...rest], false)
}
