/** A published page as HTML. */
import { createElement as h } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { WebsiteContent, WebsitePage } from '@wakestone/contract/websites/content'
import type { Language } from '@wakestone/contract/values'
import { isLive, say, type Setting, showBlock } from './blocks.ts'
import { facesOf, fontsToPreload } from './fonts.ts'
import { liveScriptPath } from './live-script.ts'
import { styles } from './styles.ts'
import { groundOf, themeVariables } from './theme.ts'
import { words } from './words.ts'

/** `/`, `/rules`; in other languages than the first below `/pl`. */
export function pathOf(content: WebsiteContent, language: Language, slug: string): string {
  const prefix = language === content.languages[0] ? '' : `/${language}`
  return slug === '' ? `${prefix}/` : `${prefix}/${slug}`
}

/** Which page an address is of; undefined where there is none. */
export function findPage(content: WebsiteContent, path: string): { language: Language; page: WebsitePage } | undefined {
  for (const language of content.languages)
    for (const page of content.pages) if (pathOf(content, language, page.slug) === path) return { language, page }
  return undefined
}

export type Shown = {
  content: WebsiteContent
  page: WebsitePage
  language: Language
  /** Of the website. */
  name: string
  /** Scheme, host and port: what canonical addresses begin with. */
  origin: string
  setting: Pick<Setting, 'server' | 'picture' | 'html'>
}

const styleOf = (content: WebsiteContent) => {
  const variables = Object.entries(themeVariables(content.theme))
    .map(([name, value]) => `${name}:${value}`)
    .join(';')
  return `${facesOf(content.theme)}html,body{margin:0;background:${groundOf(content.theme)}}.ws-site{${variables}}${styles}`
}

/** What search engines show of a description. */
const shorten = (text: string) => {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`
}

/** @returns the page, and the style that is written into it: the policy names it by its hash. */
export function renderPage(shown: Shown): { html: string; style: string; isLive: boolean } {
  const { content, page, language, name, origin } = shown
  const firstLanguage = content.languages[0] as Language
  const said = words[language]
  const setting: Setting = {
    ...shown.setting,
    look: content.theme.look,
    language,
    firstLanguage,
    page: (path) => pathOf(content, language, path.slice(1)),
  }
  const live = page.blocks.some(isLive)
  const style = styleOf(content)
  const pageTitle = say(setting, page.title)
  const title = page.slug === '' || pageTitle === '' ? name : `${pageTitle} · ${name}`
  const canonical = `${origin}${pathOf(content, language, page.slug)}`
  const others = content.languages.length > 1 ? content.languages : []
  const footers = page.blocks.filter(({ type }) => type === 'footer')
  const blocks = page.blocks.filter(({ type }) => type !== 'footer')
  const hero = blocks.find((block) => block.type === 'hero')
  const description = shorten(
    [page.description, hero?.props.text, hero?.props.title]
      .map((text) => text && say(setting, text))
      .find((text) => text?.trim()) ?? title,
  )
  const card = hero === undefined ? undefined : setting.picture(hero.props.image)
  const property = (key: string, value: string) => h('meta', { key, property: key, content: value })
  const hasBar = content.pages.length > 1 || others.length > 0
  const markup = renderToStaticMarkup(
    h(
      'html',
      { lang: language },
      h(
        'head',
        null,
        h('meta', { charSet: 'utf-8' }),
        h('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
        h('title', null, title),
        h('meta', { name: 'description', content: description }),
        h('meta', { name: 'theme-color', content: groundOf(content.theme) }),
        h('link', { rel: 'canonical', href: canonical }),
        others.map((other) =>
          h('link', {
            key: other,
            rel: 'alternate',
            hrefLang: other,
            href: `${origin}${pathOf(content, other, page.slug)}`,
          }),
        ),
        others.length === 0
          ? null
          : h('link', {
              rel: 'alternate',
              hrefLang: 'x-default',
              href: `${origin}${pathOf(content, firstLanguage, page.slug)}`,
            }),
        h('link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }),
        property('og:type', 'website'),
        property('og:site_name', name),
        property('og:title', title),
        property('og:description', description),
        property('og:url', canonical),
        property('og:locale', language),
        card === undefined ? null : property('og:image', `${origin}${card.url}`),
        h('meta', { name: 'twitter:card', content: card === undefined ? 'summary' : 'summary_large_image' }),
        fontsToPreload(content.theme, language).map((href) =>
          h('link', { key: href, rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: '', href }),
        ),
        h('style', { dangerouslySetInnerHTML: { __html: style } }),
        live ? h('script', { src: liveScriptPath, defer: true }) : null,
      ),
      h(
        'body',
        null,
        h(
          'div',
          { className: 'ws-site' },
          h('a', { className: 'ws-skip', href: '#content' }, said.toContent),
          hasBar
            ? h(
                'header',
                { className: 'ws-bar' },
                content.pages.length > 1
                  ? h(
                      'nav',
                      { 'aria-label': said.pages },
                      h(
                        'ul',
                        null,
                        content.pages.map((one) =>
                          h(
                            'li',
                            { key: one.slug },
                            h(
                              'a',
                              {
                                href: pathOf(content, language, one.slug),
                                ...(one === page && { 'aria-current': 'page' as const }),
                              },
                              say(setting, one.title) || one.slug || name,
                            ),
                          ),
                        ),
                      ),
                    )
                  : h('span', null, name),
                others.length === 0
                  ? null
                  : h(
                      'nav',
                      { 'aria-label': said.languages },
                      h(
                        'ul',
                        null,
                        others.map((other) =>
                          h(
                            'li',
                            { key: other },
                            h(
                              'a',
                              {
                                href: pathOf(content, other, page.slug),
                                lang: other,
                                hrefLang: other,
                                ...(other === language && { 'aria-current': 'true' as const }),
                              },
                              words[other].language,
                            ),
                          ),
                        ),
                      ),
                    ),
              )
            : null,
          h(
            'main',
            { className: 'ws-main', id: 'content' },
            page.blocks.some(({ type }) => type === 'hero') ? null : h('h1', null, pageTitle || name),
            blocks.map((block) => {
              const made = showBlock(setting, block)
              return made === null ? null : h('div', { key: block.id, id: `b-${block.id}` }, made)
            }),
          ),
          footers.length === 0
            ? null
            : h(
                'footer',
                null,
                footers.map((block) => h('div', { key: block.id }, showBlock(setting, block))),
              ),
        ),
      ),
    ),
  )
  return { html: `<!doctype html>${markup}`, style, isLive: live }
}

/** Every page in every language, for crawlers. */
export function renderSitemap(content: WebsiteContent, origin: string): string {
  const addresses = content.languages.flatMap((language) =>
    content.pages.map(({ slug }) => `${origin}${pathOf(content, language, slug)}`),
  )
  const urls = addresses.map((address) => `<url><loc>${address}</loc></url>`).join('')
  return `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>\n`
}

/** A lantern in the colours of the website. */
export function renderIcon({ theme }: WebsiteContent): string {
  const colours = themeVariables(theme)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="${colours['--ground']}"/><path fill="${colours['--accent']}" d="M10 11h12v14H10zM13 7h6v2h-6z"/></svg>\n`
}
