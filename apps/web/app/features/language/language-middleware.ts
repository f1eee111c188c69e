import { type MiddlewareFunction, redirect } from 'react-router'
import { isLanguage, looksLikeLanguage, shortLanguage } from '#app/i18n/languages.ts'
import { webContext } from '#app/load-context.ts'
import { chooseLanguage } from './choose-language.ts'
import { pageUrl } from './page-url.ts'

/**
 * Leads every address to one with a language: `/login` → `/{current}/login`, `/pl-PL/login` → `/pl/login`,
 * `/fr/login` → `/{current}/login`. The query stays.
 */
export const languageMiddleware: MiddlewareFunction = ({ request, context }) => {
  const url = pageUrl(request)
  const [, first = '', ...rest] = url.pathname.split('/')
  if (isLanguage(first)) return
  const current = chooseLanguage(request, context.get(webContext).language)
  const target = looksLikeLanguage(first)
    ? [shortLanguage(first) ?? current, ...rest]
    : [current, ...(first === '' ? [] : [first, ...rest])]
  throw redirect(`/${target.join('/')}${url.search}`)
}
