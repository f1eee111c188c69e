/** Serves each language's texts to browsers at `/static/locales/{language}.json`, with a version to cache them by. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import { languages } from '@wakestone/contract/primitives'
import { textsForBrowser } from '../app/i18n/browser-texts.ts'
import type { LocaleTree } from '../app/i18n/locale-faults.ts'

function readTexts(language: string): string {
  const file = new URL(`../app/i18n/locales/${language}.json`, import.meta.url)
  return JSON.stringify(textsForBrowser(JSON.parse(readFileSync(file, 'utf8')) as LocaleTree))
}

function versionOf(texts: string): string {
  return createHash('sha256').update(texts).digest('base64url').slice(0, 10)
}

export function staticLocales(): Plugin {
  const address = (language: string) => `static/locales/${language}.json`
  return {
    name: 'wakestone:static-locales',
    config: () => ({
      define: {
        __TEXT_VERSIONS__: JSON.stringify(
          Object.fromEntries(languages.map((language) => [language, versionOf(readTexts(language))])),
        ),
      },
    }),
    generateBundle() {
      if (this.environment.name !== 'client') return
      for (const language of languages)
        this.emitFile({ type: 'asset', fileName: address(language), source: readTexts(language) })
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const path = request.url?.split('?')[0]
        const language = languages.find((known) => path === `/${address(known)}`)
        if (language === undefined) return next()
        response.setHeader('content-type', 'application/json').setHeader('cache-control', 'no-store')
        response.end(readTexts(language))
      })
    },
  }
}
