import type { Language } from '#app/i18n/languages.ts'
import { webContext } from '#app/load-context.ts'
import { listIndexed } from '#app/public-pages.ts'
import type { Route } from './+types/sitemap'

/** Every page that is to be found, with its other languages. */
function writeSitemap(origin: string, spoken: readonly Language[]): string {
  const entries = listIndexed(spoken).flatMap(({ path, languages }) => {
    const link = (hreflang: string, language: Language) =>
      `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${escapeXml(`${origin}/${language}${path}`)}"/>`
    const links = [...languages.map((language) => link(language, language)), link('x-default', 'en')].join('')
    return languages.map((language) => `<url><loc>${escapeXml(`${origin}/${language}${path}`)}</loc>${links}</url>`)
  })
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">\n' +
    `${entries.join('\n')}\n</urlset>\n`
  )
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

export function loader({ request, context }: Route.LoaderArgs): Response {
  return new Response(writeSitemap(new URL(request.url).origin, context.get(webContext).languages), {
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  })
}
