/** Fails the build when a text is missing in any language. */
import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'
import { languages } from '@wakestone/contract/primitives'
import { findLocaleFaults, type LocaleTree } from '../app/i18n/locale-faults.ts'

const folder = new URL('../app/i18n/locales/', import.meta.url)

export function checkLocales(): Plugin {
  return {
    name: 'wakestone:check-locales',
    apply: 'build',
    async buildStart() {
      const trees: Record<string, LocaleTree> = {}
      for (const language of languages) {
        trees[language] = JSON.parse(await readFile(new URL(`${language}.json`, folder), 'utf8')) as LocaleTree
      }
      const faults = findLocaleFaults(trees)
      if (faults.length > 0) this.error(`Texts differ between languages:\n${faults.join('\n')}`)
    },
  }
}
