/** What products and screens are called: the same wherever it is written, as `docs/glossary.md` says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Language, languages } from '@wakestone/contract/primitives'
import { baseKey, flattenLocale, type LocaleTree } from '../apps/web/app/i18n/locale-faults.ts'

const root = join(import.meta.dirname, '..')

/** What people may type or search for may be said in anybody's words; settings of games are called as the game calls them. */
const isFree = (key: string) => /^(?:palette\.words|properties)\.|\.keywords$/.test(key)
/** Of the texts that name something: the others leave the word out, as one does where it is clear what is meant. */
const shareNaming = 0.8

type Word = { names: Record<Language, string[]>; never: Record<Language, string[]> }

/** @returns the rows of the glossary's table of words that people read */
function readWords(document: string): Word[] {
  const rows = document
    .slice(document.indexOf('\n## Words people read'))
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1)
  return rows.map((row) => {
    const [en = '', pl = '', de = '', never = ''] = row
      .split('|')
      .slice(1)
      .map((cell) => cell.trim())
    return { names: { en: split(en), pl: split(pl), de: split(de) }, never: readNever(never) }
  })
}

const split = (cell: string) => cell.replace('; in shops of servers ', ', ').split(', ').filter(Boolean)

function readNever(cell: string): Word['never'] {
  const all: Word['never'] = { en: [], pl: [], de: [] }
  for (const part of cell.split('; ').filter(Boolean)) {
    const [language = '', words = ''] = part.split(': ')
    all[language as Language] = words.split(', ')
  }
  return all
}

/** Without what is filled in, what is markup, and names of settings. */
const plain = (text: string) => text.replace(/\{\{.*?\}\}|<[^>]*>|\$t\([^)]*\)|\b[A-Z]+_[A-Z_]+\b/g, ' ')
/** As it stands, or with an English ending. */
const whole = (words: readonly string[]) =>
  new RegExp(String.raw`(?<![\p{L}-])(?:${words.join('|')})s?(?![\p{L}])`, 'iu')
/** In any of its forms: languages with endings keep the beginning. */
const inAnyForm = (words: readonly string[]) =>
  new RegExp(words.map((word) => stem(word.split(' ')[0] ?? '')).join('|'), 'iu')
const stem = (word: string) => word.slice(0, Math.max(4, word.length - 2))
/** With any ending, from the beginning of a word. */
const beginningWith = (words: readonly string[]) =>
  new RegExp(
    String.raw`(?<!\p{L})(?:${words.map((word) => (word.length > 4 ? stem(word) : String.raw`${word}(?!\p{L})`)).join('|')})`,
    'iu',
  )

type Texts = ReadonlyMap<string, readonly string[]>

function readTexts(language: Language): Texts {
  const tree = JSON.parse(readFileSync(join(root, `apps/web/app/i18n/locales/${language}.json`), 'utf8')) as LocaleTree
  const texts = new Map<string, string[]>()
  for (const [key, text] of flattenLocale(tree))
    if (!isFree(key)) texts.set(baseKey(key), [...(texts.get(baseKey(key)) ?? []), plain(text)])
  return texts
}

/** @returns keys whose English names it, and of these the ones that do so in the other language */
function findNaming({ names }: Word, english: Texts, other: Texts, language: Language) {
  const [named, form] = [whole(names.en), inAnyForm(names[language])]
  const namesIt = (text: string) =>
    named.test(longerNames(names.en).reduce((left, name) => left.replace(whole([name]), ''), text))
  const naming = [...english].filter(([, texts]) => texts.some(namesIt)).map(([key]) => key)
  return { naming, also: naming.filter((key) => other.get(key)?.some((text) => form.test(text))) }
}

/** A credit note is no credit. */
const longerNames = (names: readonly string[]) =>
  words.flatMap((word) => word.names.en).filter((name) => names.some((own) => name.startsWith(`${own} `)))

const findNever = (texts: Texts, words: readonly string[]) =>
  words.length === 0
    ? []
    : [...texts].flatMap(([key, all]) =>
        all.filter((text) => beginningWith(words).test(text)).map((text) => `${key}: ${text}`),
      )

const words = readWords(readFileSync(join(root, 'docs/glossary.md'), 'utf8'))
const texts: Record<Language, Texts> = { en: readTexts('en'), pl: readTexts('pl'), de: readTexts('de') }
const others = languages.filter((language) => language !== 'en')

test('the glossary has the words of the product', () =>
  expect(words.flatMap(({ names }) => names.en)).toEqual(
    expect.arrayContaining(['plugin', 'add-on', 'plan', 'wallet', 'credit', 'asleep', 'waking']),
  ))

describe.each(words.map((word) => [word.names.en[0] ?? '', word] as const))('%s', (_, word) => {
  test.each(others)('is called by its word (%s)', (language) => {
    const { naming, also } = findNaming(word, texts.en, texts[language], language)
    const without = naming.filter((key) => !also.includes(key))
    expect(also.length, without.join(', ')).toBeGreaterThanOrEqual(naming.length * shareNaming)
  })

  test.each(languages)('is called by no other (%s)', (language) =>
    expect(findNever(texts[language], word.never[language])).toEqual([]),
  )
})

test('another word is seen, and so is one that is missing', () => {
  const [wallet] = readWords(
    '\n## Words people read\n| English | Polish | German | Never |\n|---|---|---|---|\n| wallet | portfel | Guthaben | de: Geldbörse |',
  ) as [Word]
  const english = new Map([['a', ['Your wallets']]])
  const german = new Map([['a', ['Deine Geldbörsen']]])
  expect(findNever(german, wallet.never.de)).toEqual(['a: Deine Geldbörsen'])
  expect(findNaming(wallet, english, german, 'de').also).toEqual([])
  expect(findNaming(wallet, english, new Map([['a', ['Twoje portfele']]]), 'pl').also).toEqual(['a'])
})
