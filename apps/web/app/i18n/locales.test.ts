import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languages } from '@wakestone/contract/primitives'
import { errorCodes } from '@wakestone/contract/errors'
import { findLocaleFaults, flattenLocale, type LocaleTree } from './locale-faults.ts'

const trees = Object.fromEntries(
  languages.map((language) => [
    language,
    JSON.parse(readFileSync(join(import.meta.dirname, 'locales', `${language}.json`), 'utf8')) as LocaleTree,
  ]),
)
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

  it('exist for every error of the catalogue', () => {
    for (const tree of Object.values(trees)) {
      const texts = flattenLocale(tree)
      expect(errorCodes.filter((code) => !texts.has(`errors.${code}`))).toEqual([])
    }
  })
})
