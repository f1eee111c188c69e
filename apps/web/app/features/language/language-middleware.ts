import type { MiddlewareFunction } from 'react-router'
import { webContext } from '#app/load-context.ts'
import { findLanguageRedirect } from './language-redirect.ts'
import { pageUrl } from './page-url.ts'

/** Leads every address to one with a language, and answers for files that do not exist. */
export const languageMiddleware: MiddlewareFunction<Response> = ({ request, context }, next) => {
  const { languages, language } = context.get(webContext)
  const found = findLanguageRedirect(pageUrl(request), languages, language)
  if (found === undefined) return next()
  if (found === 'missing')
    return new Response('Not found\n', { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } })
  // What the address alone decides may be kept by every cache; the rest is this visitor's.
  const caching: Record<string, string> = found.isPermanent
    ? { 'cache-control': 'public, max-age=86400' }
    : { 'cache-control': 'private, no-cache', vary: 'Cookie, Accept-Language' }
  throw new Response(null, { status: found.isPermanent ? 308 : 307, headers: { location: found.to, ...caching } })
}
