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

/** Questions as customers ask them, each with the section of the guide that has to be first. */
const questions = {
  en: {
    refund: 'wallet#withdrawal-and-refunds',
    withdraw: 'wallet#withdrawal-and-refunds',
    'how do I get my money back?': 'wallet#withdrawal-and-refunds',
    'cancel my server': 'wallet#renewals',
    invoice: 'wallet#invoices-and-receipts',
    receipt: 'wallet#invoices-and-receipts',
    'top up': 'wallet#top-up',
    lag: 'console#when-the-game-lags',
    'my server is slow': 'console#when-the-game-lags',
    tps: 'console#when-the-game-lags',
    'change password': 'support#change-your-password',
    'I forgot my password': 'support#change-your-password',
    discord: 'support#discord',
    'how do I make myself op': 'players#make-yourself-an-operator',
    operator: 'players#make-yourself-an-operator',
    'download my world': 'files#worlds',
    'how can I download my world to my computer': 'files#worlds',
    crossplay: 'joining#java-and-bedrock-together',
    'restor backup': 'backups#bring-something-back',
  },
  pl: {
    zwrot: 'wallet#odstąpienie-i-zwrot-pieniędzy',
    'jak odstąpić od umowy': 'wallet#odstąpienie-i-zwrot-pieniędzy',
    faktura: 'wallet#faktury-i-potwierdzenia',
    lagi: 'console#gdy-gra-laguje',
    'serwer laguje': 'console#gdy-gra-laguje',
    hasło: 'support#zmiana-hasła',
    discord: 'support#discord',
    'jak zostać operatorem': 'players#jak-zostać-operatorem',
    'jak dać sobie opa': 'players#jak-zostać-operatorem',
    'jak pobrać mój świat': 'files#światy',
    crossplay: 'joining#java-i-bedrock-razem',
    usypia: 'sleep',
    wtyczki: 'packages',
  },
  de: {
    kündigen: 'wallet#widerruf-und-rückerstattung',
    Rückerstattung: 'wallet#widerruf-und-rückerstattung',
    'Geld zurück': 'wallet#widerruf-und-rückerstattung',
    Rechnung: 'wallet#rechnungen-und-belege',
    Ruckeln: 'console#wenn-das-spiel-ruckelt',
    Lags: 'console#wenn-das-spiel-ruckelt',
    'Passwort vergessen': 'support#das-passwort-ändern',
    Discord: 'support#discord',
    'Wie werde ich Operator?': 'players#selbst-operator-werden',
    'Welt herunterladen': 'files#welten',
    Crossplay: 'joining#java-und-bedrock-zusammen',
  },
}
test.each(languages)('in %s, what customers ask leads to what the guide says of it', (language) => {
  const find = openIndex(docs.indexes[language], language)
  const answers = Object.keys(questions[language]).map((typed) => [typed, find(typed).own[0]?.id])
  const wanted = Object.entries(questions[language]).map(([typed, section]) => [typed, `/guide/${section}`])
  expect(answers).toEqual(wanted)
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
