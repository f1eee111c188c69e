/** The documentation as it is in the repository: nothing in it leads nowhere, every screen's help exists, it is found. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { languages } from '@wakestone/contract/primitives'
import { docEntries, docFile, paletteReaders } from '../../app/features/docs/docs-contents.ts'
import { openIndex } from '../../app/features/docs/find-sections.ts'
import { findHelp, helpPages } from '../../app/features/docs/help-pages.ts'
import { findSharedPage } from '../../app/shared-pages.ts'
import { listIndexed } from '../../app/public-pages.ts'
import { questions } from './questions.ts'
import { openRepository, readDocs, type Repository } from './read-docs.ts'

const repository = openRepository(join(import.meta.dirname, '../../../..'))
const docs = await readDocs(repository)

test('every page is there in every language, and no link, heading or picture is missing', () => {
  expect(docs.faults).toEqual([])
  for (const language of languages)
    expect(Object.keys(docs.pages[language])).toEqual(docEntries.map(({ path }) => path))
})

test('no document of the repository is left out', () => {
  const folder = join(import.meta.dirname, '../../../../docs')
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  const listed = languages.flatMap((language) => docEntries.map((entry) => docFile(entry, language)))
  expect(written.map((file) => `docs/${file}`).filter((file) => !listed.includes(file))).toEqual([])
})

test('the palette offers the guide to everyone, the pages of operators to administrators, and no decision', () => {
  for (const entry of docEntries) {
    const readers = paletteReaders(entry)
    if (entry.audience === 'guide') expect(readers).toBe('everyone')
    if (entry.audience === 'operators') expect(readers).toBe('administrators')
    if (entry.file.startsWith('docs/decisions/')) expect(readers).toBe('nobody')
  }
})

/** The repository with some of its files written otherwise. */
const withFiles = (files: Record<string, string | undefined>): Repository => ({
  ...repository,
  read: (file) => (file in files ? files[file] : repository.read(file)),
})

test('what leads nowhere is a fault, and so is what is missing', async () => {
  const polish = 'docs/guide/pl/joining.md'
  const { faults } = await readDocs(
    withFiles({
      'docs/money.md':
        '# Page\n\n[a](nowhere.md) [b](settings.md#no-such) [c](#no-such) [d](mysql.md) [e](../LICENSE) ![f](screens/no.webp)',
      'docs/sleep.md': 'No title',
      'docs/worlds.md': undefined,
      [polish]: (repository.read(polish) ?? '').replace(/\n## [\s\S]*?(?=\n## )/, ''),
    }),
  )
  expect(faults.toSorted()).toEqual(
    [
      `${polish}: other headings than in English`,
      'docs/money.md: nowhere.md leads nowhere',
      'docs/money.md: no heading #no-such in docs/settings.md',
      'docs/money.md: no heading #no-such in docs/money.md',
      'docs/money.md: no picture screens/no.webp',
      'docs/sleep.md: the first heading is not the title',
      'docs/worlds.md is missing',
    ].toSorted(),
  )
})

test('each section of the guide has words of its readers, which are looked for and never shown', async () => {
  const file = 'docs/guide/de/sleep.md'
  const written = (repository.read(file) ?? '').replaceAll(/<!-- also:.*-->/g, '')
  const { faults } = await readDocs(withFiles({ [file]: written }))
  expect(faults).toContain(`${file}: no words of readers for #was-passiert`)
  for (const language of languages)
    for (const entry of docEntries) expect(docs.pages[language][entry.path]?.html).not.toMatch(/also:/)
})

test('links between documents stay within the product, in the language of the reader', async () => {
  const { pages } = await readDocs(
    withFiles({
      'docs/guide/pl/joining.md':
        '# A\n\n[b](sleep.md) [c](../../settings.md#limits) [d](../../../LICENSE) [e](https://x.example/?a=1&b) <b>f</b>',
    }),
  )
  expect(pages.pl['/guide/joining']?.html).toBe(
    '<p><a href="/pl/docs/guide/sleep">b</a> <a href="/pl/docs/operators/settings#limits">c</a> d ' +
      '<a href="https://x.example/?a=1&amp;b" rel="noopener">e</a> &lt;b&gt;f&lt;/b&gt;</p>\n',
  )
})

test('each screen with a page that explains it leads to one', () => {
  const paths = docEntries.map(({ path }) => path)
  for (const [, page] of helpPages) expect(paths).toContain(page)
  for (const [address, page] of [
    ['/s/castle', 'console'],
    ['/s/castle/files/world/region', 'files'],
    ['/s/castle/backups', 'backups'],
    ['/s/castle/players/1', 'players'],
    ['/s/castle/m', 'packages'],
    ['/s/castle/settings/addresses', 'addresses'],
    ['/s/castle/mysql', 'files'],
    ['/s/castle/schedules', 'schedules'],
    ['/pl/wallets/1', 'wallet'],
    ['/pl/c/1', 'websites'],
    ['/pl/account/support', 'support'],
  ] as const)
    expect(findHelp(address), address).toBe(`/guide/${page}`)
  expect(findHelp('/pl/notifications')).toBeUndefined()
})

test.each(languages)('in %s, what customers ask leads to what the guide says of it', (language) => {
  const find = openIndex(docs.indexes[language], language)
  const answers = Object.keys(questions[language]).map((typed) => [typed, find(typed).own[0]?.id])
  const wanted = Object.entries(questions[language]).map(([typed, section]) => [typed, `/guide/${section}`])
  expect(answers).toEqual(wanted)
})

test('who wants to end a contract is told first how it ends, then how to withdraw from it', () => {
  const { own } = openIndex(docs.indexes.de, 'de')('kündigen')
  expect(own.slice(0, 2).map(({ id }) => id)).toEqual([
    '/guide/wallet#einen-server-kündigen',
    '/guide/wallet#widerruf-und-rückerstattung',
  ])
})

test('who reads in another language is led to pages in English only where the guide has no answer', () => {
  for (const language of ['pl', 'de'] as const) {
    const find = openIndex(docs.indexes[language], language)
    for (const typed of ['backup', 'whitelist', 'discord', ...Object.keys(questions[language])])
      expect(find(typed).others, typed).toEqual([])
    expect(find('kubernetes').others[0]?.id).toMatch(/^\/operators\//)
  }
})

test('a word is found in other forms, with a slip, and before it is finished', () => {
  const first = (language: 'en' | 'pl' | 'de', typed: string) =>
    openIndex(docs.indexes[language], language)(typed).own[0]?.id
  expect(first('pl', 'wtyczkę')).toBe('/guide/packages')
  expect(first('en', 'hitelist')).toBe('/guide/players#whitelist')
  expect(first('de', 'Rückerstatt')).toBe('/guide/wallet#widerruf-und-rückerstattung')
  expect(first('de', 'kuendigen')).toBe('/guide/wallet#einen-server-kündigen')
})

test('what is for operators and developers comes apart, below the guide or where it says nothing', () => {
  const find = openIndex(docs.indexes.en, 'en')
  const about = ({ own, others }: ReturnType<typeof find>) => [own, others].map((one) => one.map(({ id }) => id))
  const [own, others] = about(find('refund'))
  expect(own!.every((id) => id.startsWith('/guide/'))).toBe(true)
  expect(others!.length).toBeGreaterThan(0)
  expect(others!.some((id) => id.startsWith('/guide/'))).toBe(false)
  const setting = find('PDNS_URL')
  expect(setting.own).toEqual([])
  expect(setting.others.map(({ id }) => id)).toContain('/operators/settings#dns')
  expect(find('refund', 'operators').own[0]?.id).toBe('/operators/operating#refunds-and-chargebacks')
  expect(about(find('qwertyuiop'))).toEqual([[], []])
  expect(about(find(' ?'))).toEqual([[], []])
})

test('decisions about the code are found among developers’ pages alone', () => {
  const find = openIndex(docs.indexes.en, 'en')
  const hasDecision = ({ own, others }: ReturnType<typeof find>) =>
    [...own, ...others].some(({ id }) => id.startsWith('/developers/decisions/'))
  expect(hasDecision(find('access payments decision withdrawal'))).toBe(false)
  expect(hasDecision(find('withdrawal gives back', 'guide'))).toBe(false)
  expect(hasDecision(find('withdrawal gives back', 'developers'))).toBe(true)
})

test('an index is small enough to be loaded by who begins to type', () => {
  for (const language of languages) expect(docs.indexes[language].length).toBeLessThan(700_000)
})

test('visitors share what is kept of them, and search engines are told each in its languages', () => {
  for (const { path } of docEntries) expect(findSharedPage(`/de/docs${path}`, null)?.language).toBe('de')
  expect(findSharedPage('/de/docs/guide/no-such-page', null)).toBeUndefined()
  const listed = new Map(listIndexed(languages).map(({ path, languages: read }) => [path, read]))
  expect(listed.get('/docs/guide/joining')).toEqual(languages)
  expect(listed.get('/docs/operators/operating')).toEqual(['en'])
})
