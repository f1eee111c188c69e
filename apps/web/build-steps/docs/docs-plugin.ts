/**
 * Puts the documentation into the build: pages for the server (`virtual:docs`), titles for the command palette
 * (`virtual:doc-titles`), and one search index per language beside the other files, loaded by who searches.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '@wakestone/contract/primitives'
import type { Plugin } from 'vite'
import { docEntries, docFile, paletteReaders } from '../../app/features/docs/docs-contents.ts'
import { type Docs, openRepository, readDocs } from './read-docs.ts'

const root = join(import.meta.dirname, '../../../..')
const names = ['virtual:docs', 'virtual:doc-titles']

function write(name: string, docs: Docs, searchAddresses: Record<string, string>): string {
  if (name === 'virtual:docs')
    return `export const pages = ${JSON.stringify(docs.pages)}\nexport const searchAddresses = ${JSON.stringify(searchAddresses)}`
  const titles = languages.map((language) => [
    language,
    docEntries.flatMap((entry) => {
      const page = docs.pages[language][entry.path]
      const readers = paletteReaders(entry)
      if (page === undefined || readers === 'nobody') return []
      // What it is about, for whoever does not know its title.
      const words = entry.audience === 'guide' ? page.headings.map(({ text }) => text).join(' ') : ''
      return [{ path: page.path, title: page.title, words, readers }]
    }),
  ])
  return `export const docTitles = ${JSON.stringify(Object.fromEntries(titles))}`
}

export function documentation(): Plugin {
  let reading: Promise<Docs> | undefined
  const read = () => (reading ??= readDocs(openRepository(root)))
  const addressesOf = ({ indexes }: Docs) =>
    Object.fromEntries(
      languages.map((language) => {
        const hash = createHash('sha256').update(indexes[language]).digest('base64url').slice(0, 10)
        return [language, `/assets/docs-${language}-${hash}.json`]
      }),
    )
  return {
    name: 'wakestone:documentation',
    resolveId: (id) => (names.includes(id) ? `\0${id}` : undefined),
    async load(id) {
      const name = names.find((known) => id === `\0${known}`)
      if (name === undefined) return undefined
      const docs = await read()
      if (docs.faults.length > 0 && this.environment.mode === 'build')
        this.error(`Faults in the documentation:\n${docs.faults.join('\n')}`)
      for (const language of languages)
        for (const entry of docEntries) this.addWatchFile(join(root, docFile(entry, language)))
      return write(name, docs, addressesOf(docs))
    },
    watchChange: () => void (reading = undefined),
    async generateBundle() {
      if (this.environment.name !== 'client') return
      const docs = await read()
      for (const [language, address] of Object.entries(addressesOf(docs)))
        this.emitFile({ type: 'asset', fileName: address.slice(1), source: docs.indexes[language as 'en'] })
      for (const { file, address } of docs.pictures)
        this.emitFile({ type: 'asset', fileName: address.slice(1), source: readFileSync(join(root, file)) })
    },
    configureServer(server) {
      async function answer(path: string): Promise<string | Buffer | undefined> {
        const docs = await read()
        const language = languages.find((known) => addressesOf(docs)[known] === path)
        if (language !== undefined) return docs.indexes[language]
        const picture = docs.pictures.find(({ address }) => address === path)
        return picture && readFileSync(join(root, picture.file))
      }
      server.middlewares.use((request, response, next) => {
        const path = request.url?.split('?')[0] ?? ''
        if (!/^\/(?:assets\/docs-|static\/docs\/)/.test(path)) return next()
        answer(path).then((found) => (found === undefined ? next() : response.end(found)), next)
      })
    },
  }
}
