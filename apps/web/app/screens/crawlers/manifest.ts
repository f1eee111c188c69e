import { isLanguage, type Language } from '#app/i18n/languages.ts'
import { serverI18n } from '#app/i18n/server-texts.server.ts'
import { webContext } from '#app/load-context.ts'
import type { Route } from './+types/manifest'

/** What a phone or a computer needs to know to keep the panel among its programs. */
function writeManifest(language: Language) {
  const { t } = serverI18n(language)
  const icon = (name: string, size: number, purpose: 'any' | 'maskable') => ({
    src: `/${name}-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })
  const shortcut = (name: string, path: string) => ({
    name,
    url: `/${language}${path}`,
    icons: [icon('icon-whole', 96, 'any')],
  })
  return {
    // The same program in every language.
    id: '/',
    name: t('pwa.name'),
    short_name: 'Wakestone',
    description: t('pwa.description'),
    lang: language,
    dir: 'ltr',
    start_url: `/${language}/s`,
    scope: '/',
    display: 'standalone',
    background_color: '#0e1116',
    theme_color: '#0e1116',
    categories: ['games', 'utilities'],
    icons: [
      ...[192, 512].map((size) => icon('icon-whole', size, 'any')),
      ...[192, 512].map((size) => icon('icon', size, 'maskable')),
    ],
    shortcuts: [
      shortcut(t('shell.servers'), '/s'),
      shortcut(t('shell.newServer'), '/create'),
      shortcut(t('docs.title'), '/docs'),
      shortcut(t('shell.help'), '/account/support'),
    ],
  }
}

/** `/manifest/{language}.webmanifest` */
export function loader({ params, context }: Route.LoaderArgs): Response {
  const [language, ending] = params.file.split('.')
  const { languages } = context.get(webContext)
  if (!isLanguage(language) || !languages.includes(language) || ending !== 'webmanifest')
    return new Response('Not found\n', { status: 404, headers: { 'content-type': 'text/plain' } })
  return new Response(JSON.stringify(writeManifest(language)), {
    headers: { 'content-type': 'application/manifest+json; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  })
}
