/** Texts and the code that shows them: none missing, none unused, none written into a component. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isOver, operationKinds, operationPhases, operationStates } from '@wakestone/contract/servers/operations'
import { describe, expect, it } from 'vitest'
import { baseKey, findLocaleFaults, flattenLocale, type LocaleTree } from '../apps/web/app/i18n/locale-faults.ts'
import { matcherOf, scanTexts } from './support/text-scan.ts'

const app = join(import.meta.dirname, '../apps/web/app')
const english = JSON.parse(readFileSync(join(app, 'i18n/locales/en.json'), 'utf8')) as LocaleTree
const keys = [...new Set([...flattenLocale(english).keys()].map(baseKey))]

// The gallery shows components to developers, with whatever words.
const files = readdirSync(app, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((path) => !path.includes('/screens/gallery/'))
const uses = files.map((path) => ({
  file: path.slice(app.length + 1),
  ...scanTexts(path, readFileSync(path, 'utf8')),
}))

type Use = (typeof uses)[number]
const findMissing = (all: readonly Use[], known: readonly string[]) =>
  all.flatMap(({ file, asked }) =>
    asked
      .filter(({ key }) => !known.some((name) => key.test(name)))
      .map(({ shown, line }) => `${file}:${line} asks for ${shown}`),
  )
const findUnused = (all: readonly Use[], known: readonly string[]) => {
  const isMentioned = matcherOf(all.flatMap((use) => use.mentioned))
  return known.filter((name) => !isMentioned(name))
}
/** What is the same in every language: the product, its games and formats. */
const names = /\b(?:Wakestone|Minecraft|PayU|Discord|GitHub|MIT|API|PDF|XML|Ctrl)\b/g
/** Shown where the texts themselves could not be had. */
const withoutTexts = 'code: …'
const findWritten = (all: readonly Use[]) =>
  all.flatMap(({ file, written }) =>
    written
      .filter(({ text }) => text !== withoutTexts && /\p{L}{2,}/u.test(text.replace(names, '')))
      .map(({ text, line }) => `${file}:${line} says ${text}`),
  )

describe('the site', () => {
  it('asks for no text that is missing', () => expect(findMissing(uses, keys)).toEqual([]))
  it('keeps no text that nobody asks for', () => expect(findUnused(uses, keys)).toEqual([]))
  // A pattern of a key is satisfied by any one text of that form.
  it('has words for every kind of work on a server, its phases and how it ends', () => {
    const wanted = [
      ...Object.values(operationPhases)
        .flat()
        .map((phase) => `operations.phase.${phase}`),
      ...operationKinds.map((kind) => `operations.kind.${kind}`),
      ...operationStates.filter(isOver).map((state) => `operations.state.${state}`),
    ]
    expect(wanted.filter((key) => !keys.includes(key))).toEqual([])
  })
  it('keeps no words for a phase that nothing goes through', () => {
    const phases = Object.values(operationPhases).flat().map(String)
    const worded = keys.flatMap((key) => /^operations\.phase\.(\w+)$/.exec(key)?.[1] ?? [])
    expect(worded.filter((phase) => !phases.includes(phase))).toEqual([])
  })
  it('writes no words into a component', () => expect(findWritten(uses)).toEqual([]))
})

describe('the checks', () => {
  const fixture = (source: string): Use[] => [{ file: 'fixture.tsx', ...scanTexts('fixture.tsx', source) }]

  it('see a missing key', () => {
    const source =
      'const a = () => <p title={t("a.gone")}>{t(`b.${kind}.gone`)}<Trans i18nKey="c.gone" />{t("d.here")}</p>'
    expect(findMissing(fixture(source), ['d.here', 'b.x.here'])).toEqual([
      'fixture.tsx:1 asks for a.gone',
      'fixture.tsx:1 asks for b.${…}.gone',
      'fixture.tsx:1 asks for c.gone',
    ])
  })

  it('see an unused key, and take a comment for no use', () => {
    const source = '// a.commented\nconst key = "a.chosen"; t(`b.${kind}.text`)'
    expect(findUnused(fixture(source), ['a.commented', 'a.chosen', 'b.one.text', 'b.one.title'])).toEqual([
      'a.commented',
      'b.one.title',
    ])
  })

  it.each([
    ['<p>Hello</p>', 'Hello'],
    ['<p>{"Hello"}</p>', 'Hello'],
    ['<p>{`Hello ${name}`}</p>', 'Hello …'],
    ['<p>{isOpen ? "Open" : t("a.b")}</p>', 'Open'],
    ['<p>{isOpen && "Open"}</p>', 'Open'],
    ['<button aria-label="Close" />', 'Close'],
    ['<input placeholder={isBig ? "Large" : undefined} />', 'Large'],
    ['<><img alt={"A lantern"} src="a.png" /></>', 'A lantern'],
  ])('see words in %s', (source, text) => {
    expect(findWritten(fixture(`const a = ${source}`))).toEqual([`fixture.tsx:1 says ${text}`])
  })

  it.each([
    '<p className="big">{t("a.b")} · {count} %</p>',
    '<a href="/pl" title={t("a.b")}>Wakestone</a>',
    '<p>{kind === "open" ? t("a.b") : null}</p>',
  ])('see none in %s', (source) => expect(findWritten(fixture(`const a = ${source}`))).toEqual([]))

  it('see a plural form that a language lacks', () => {
    const faults = findLocaleFaults({
      en: { day_one: '{{count}} day', day_other: '{{count}} days' },
      pl: { day_one: '{{count}} dzień', day_few: '{{count}} dni', day_other: '{{count}} dnia' },
      de: { day_one: '{{count}} Tag', day_other: '{{count}} Tage', day_few: '{{count}} Tage' },
    })
    expect(faults).toEqual(['pl: day_many is missing', 'de: day_few is a form the language does not have'])
  })
})
