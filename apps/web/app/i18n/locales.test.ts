import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages } from '@wakestone/contract/primitives'
import { errorCodes } from '@wakestone/contract/errors'
import { baseKey, findLocaleFaults, flattenLocale, type LocaleTree } from './locale-faults.ts'

const app = join(import.meta.dirname, '..')
const trees = Object.fromEntries(
  languages.map((language) => [
    language,
    JSON.parse(readFileSync(join(import.meta.dirname, 'locales', `${language}.json`), 'utf8')) as LocaleTree,
  ]),
)
const sources = readdirSync(app, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: path.slice(app.length + 1), text: readFileSync(path, 'utf8') }))
const allText = sources.map((source) => source.text).join('\n')
const keys = [...new Set([...flattenLocale(trees['en'] ?? {}).keys()].map(baseKey))]

describe('texts', () => {
  it('say the same things in every language, with every plural form', () => {
    expect(findLocaleFaults(trees)).toEqual([])
  })

  it('find faults when there are some', () => {
    const faults = findLocaleFaults({
      en: { a: 'x {{n}}', b_one: '{{count}} day', b_other: '{{count}} days' },
      pl: { a: 'y', b_one: '{{count}} dzień', b_other: '{{count}} dnia', c: 'z' },
    })
    expect(faults).toEqual(
      expect.arrayContaining([
        'en: c is missing',
        'pl: b_few is missing',
        'pl: b_many is missing',
        'pl: a has other placeholders than English',
      ]),
    )
  })

  it('are all used', () => {
    const literals = new Set(Array.from(allText.matchAll(/['"`]([a-zA-Z]\w*(?:\.[\w-]+)+)['"`]/g), (match) => match[1]))
    const patterns = Array.from(allText.matchAll(/`([a-zA-Z]\w*\.[^`\n]*\$\{[^`\n]*)`/g), (match) => {
      const parts = (match[1] ?? '')
        .split(/\$\{[^}]*\}/)
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      return new RegExp(`^${parts.join(String.raw`[\w.-]+`)}$`)
    })
    const unused = keys.filter((key) => !literals.has(key) && !patterns.some((pattern) => pattern.test(key)))
    expect(unused).toEqual([])
  })

  it('exist for every error of the catalogue', () => {
    for (const tree of Object.values(trees)) {
      const texts = flattenLocale(tree)
      expect(errorCodes.filter((code) => !texts.has(`errors.${code}`))).toEqual([])
    }
  })

  it('are never written into a screen', () => {
    const found: string[] = []
    for (const { path, text } of sources.filter((source) => source.path.endsWith('.tsx'))) {
      const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      // Text between tags, and attributes that people read or hear.
      for (const match of code.matchAll(/(?<![=\s])>\s*([^<>{}()=;:?&|]*\p{L}{2,}[^<>{}()=;:?&|]*)\s*</gu))
        found.push(`${path}: ${match[1]?.trim()}`)
      for (const match of code.matchAll(
        /\s(?:aria-label|title|placeholder|label|alt|description)="([^"]*\p{L}{2,}[^"]*)"/gu,
      ))
        found.push(`${path}: ${match[1]}`)
    }
    // The name of the product is the same in every language; `return` is code between two comparisons.
    expect(found.filter((text) => !/: (?:Wakestone|return)$/.test(text))).toEqual([])
  })
})
