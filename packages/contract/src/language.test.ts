import { expect, test } from 'vitest'
import { acceptedLanguage, languagesOfHost, shortLanguage } from './language.ts'
import { languages } from './values.ts'

test.each([
  ['pl-PL', 'pl'],
  ['PL', 'pl'],
  ['de_DE', 'de'],
  [' en-US', 'en'],
  ['plt', undefined],
  ['fr-FR', undefined],
  ['', undefined],
  [undefined, undefined],
])('%s is short for %s', (locale, short) => expect(shortLanguage(locale)).toBe(short))

test.each([
  ['fr, de;q=0.5, pl;q=0.8', 'pl'],
  ['de-AT', 'de'],
  ['pl;q=0, en;q=0.1', 'en'],
  ['fr', undefined],
  ['*', undefined],
  [undefined, undefined],
])('of %s we speak %s', (header, language) => expect(acceptedLanguage(header, languages)).toBe(language))

test('a language that the host does not speak is passed over', () => {
  expect(acceptedLanguage('de, pl;q=0.5', ['en', 'pl'])).toBe('pl')
})

test.each([
  ['wakestone.example', true],
  ['WAKESTONE.example', true],
  ['eu.wakestone.example', false],
  ['localhost', true],
  ['panel.localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['127.0.0.1.evil.example', false],
  ['notlocalhost', false],
])('%s speaks German: %s', (host, speaks) => {
  expect(languagesOfHost(host, ['wakestone.example']).includes('de')).toBe(speaks)
})
