/** Every reason has its words, in each language, with and without what is known of it. */
import type { Server } from '@wakestone/contract/servers/server'
import { crashTags, languages } from '@wakestone/contract/values'
import { mends, mendsOf } from '@wakestone/minecraft/crash-mends'
import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { describe, expect, test } from 'vitest'
import { createI18n } from '#app/i18n/create-i18n.ts'
import { serverTexts } from '#app/i18n/server-texts.server.ts'
import { I18nProvider } from '#app/i18n/texts.tsx'
import { type CrashLike, namedTags, readExit, readNames } from './crash-facts.ts'
import { MendPlaces, MendText } from './crash-mends.tsx'
import { CrashWords } from './crash-words.tsx'
import { placesOf } from './mend-places.ts'

const details = {
  dependant_mod: 'create',
  required_mods: ['flywheel', 'registrate'],
  mod_name: 'create',
  world_version: '3953',
  server_version: '3465',
  required_java: '21',
  java: '17',
  option: '-XX:+UseSwordfish',
  seconds: '60.01',
  required_plugins: ['Vault'],
}
const exit = { code: 1, signal: null }

describe.each(languages)('in %s', (language) => {
  const i18n = createI18n(language, serverTexts[language])
  const render = (crash: CrashLike) =>
    renderToStaticMarkup(
      <I18nProvider i18n={i18n}>
        <CrashWords crash={crash} />
      </I18nProvider>,
    )
  /** A key that is shown in place of its text, or a hole that nobody has filled. */
  const faults = (html: string) =>
    [/\b(?:crash|events)\.[a-z]+\.\w+/i, /\{\{|\}\}/, /undefined|null/].filter((fault) => fault.test(html))

  test.each(crashTags)('%s', (tag) => {
    const plain = render({ tag, details: {}, exit })
    const named = render({ tag, details, exit })
    expect(faults(plain)).toEqual([])
    expect(faults(named)).toEqual([])
    const isNamed = (namedTags as readonly string[]).includes(tag)
    expect(named === plain).toBe(!isNamed)
    if (isNamed) for (const value of Object.values(readNames({ tag, details })!.values)) expect(named).toContain(value)
  })

  test('what is not known here reads as unknown', () => {
    expect(render({ tag: 'from_the_future', details: { mod_name: 'x' }, exit })).toBe(
      render({ tag: 'unknown', details: {}, exit }),
    )
  })

  test.each(mends)('the mend %s', (mend) => {
    for (const given of [{}, details]) {
      const html = renderToStaticMarkup(
        <I18nProvider i18n={i18n}>
          <MendText mend={mend} crash={{ tag: 'unknown', details: given, exit }} />
        </I18nProvider>,
      )
      expect(faults(html)).toEqual([])
      expect(html.length).toBeGreaterThan(15)
    }
  })

  test.each(mends)('the mend %s leads to where it is done', (mend) => {
    for (const given of [{}, details]) {
      const server = { parameters: { engine: 'paper' } } as Server
      const html = renderToStaticMarkup(
        <MemoryRouter>
          <I18nProvider i18n={i18n}>
            <MendPlaces
              mend={mend}
              crash={{ tag: 'unknown', details: given, exit }}
              server={server}
              identity="meadow"
            />
          </I18nProvider>
        </MemoryRouter>,
      )
      expect(faults(html)).toEqual([])
      const links = html.match(/href="\/s\/meadow\/[^"]+"/g) ?? []
      expect(links.length > 0).toBe(mend !== 'more_memory')
    }
  })

  test.each([
    { code: null, signal: null },
    { code: 0, signal: null },
    { code: 3, signal: null },
    { code: 137, signal: null },
    { code: null, signal: 'SIGHUP' },
    { code: 134, signal: null },
    { code: 143, signal: null },
  ])('the exit %o', (given) => {
    expect(faults(render({ tag: 'unknown', details: {}, exit: given }))).toEqual([])
  })
})

test('signals are told from codes', () => {
  expect(readExit({ code: 137, signal: null })).toEqual({ kind: 'killed', values: { signal: 'SIGKILL, 137' } })
  expect(readExit({ code: 143, signal: null }).kind).toBe('asked')
  expect(readExit({ code: null, signal: 'SIGSEGV' })).toEqual({ kind: 'broken', values: { signal: 'SIGSEGV' } })
  expect(readExit({ code: 1, signal: null })).toEqual({ kind: 'code', values: { code: '1' } })
  expect(readExit({ code: 0, signal: null }).kind).toBe('inOrder')
})

test('every mend of every reason is one that has words', () => {
  for (const tag of crashTags) expect(mends).toEqual(expect.arrayContaining([...mendsOf[tag]]))
})

test('details of any kind are read, or passed over', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...crashTags, 'other'),
      fc.dictionary(fc.constantFrom(...Object.keys(details)), fc.anything()),
      (tag, given) => {
        const names = readNames({ tag, details: given })
        if (names !== null) for (const value of Object.values(names.values)) expect(value.trim()).not.toBe('')
      },
    ),
  )
})

test('what is missing is searched for by its name, and a world chooses its version', () => {
  const to = (mend: Parameters<typeof placesOf>[0], given: Record<string, unknown>) =>
    placesOf(mend, { details: given }, { engine: 'vanilla' }).map((place) => place.to)
  expect(to('install_missing', details)).toEqual(['/m?q=flywheel'])
  expect(to('install_missing', { required_mods: ['fabric-api (any version)'] })).toEqual(['/m?q=fabric-api'])
  expect(to('install_missing', { required_plugins: ['Vault', 'Essentials'] })).toEqual(['/m?q=Vault'])
  expect(to('install_missing', { required_mods: ['a&b=c#'] })).toEqual(['/m?q=a'])
  expect(to('install_missing', { required_mods: ['unknown'] })).toEqual(['/m'])
  expect(to('change_engine_version', { world_version: '1.21.4' })).toEqual(['/settings/engine?version=1.21.4'])
  expect(to('change_engine_version', {})).toEqual(['/settings/engine'])
})
