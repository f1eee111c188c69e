import type { PackageChange, PackageConflict } from '@wakestone/contract/servers/packages'
import { expect, test } from 'vitest'
import { createI18n } from '#app/i18n/create-i18n.ts'
import de from '#app/i18n/locales/de.json' with { type: 'json' }
import en from '#app/i18n/locales/en.json' with { type: 'json' }
import pl from '#app/i18n/locales/pl.json' with { type: 'json' }
import { tellChange, tellConflicts } from './package-reasons.ts'

const lib = { name: 'lib', expr: '>=2' }
const steps: PackageConflict[] = [
  {
    because: [
      { kind: 'requires', package: 'maps', versions: ['3.0', '3.1', '3.2', '4.0'], selector: lib, isMissing: false },
      { kind: 'requires', package: 'chat', versions: null, selector: { provides: 'api' }, isMissing: true },
      { kind: 'conflicts', package: 'one', versions: ['1.0'], selector: { name: 'two', expr: '<2' }, other: 'two' },
    ],
    conclusion: { kind: 'impossible', subjects: [{ package: 'maps', versions: null }, { selector: lib }] },
  },
  {
    because: [
      { kind: 'serves', selector: { provides: 'economy' }, packages: ['bank', 'coins'] },
      { kind: 'one-engine', package: 'paper', other: 'purpur' },
    ],
    conclusion: {
      kind: 'needs',
      subjects: [{ package: 'maps', versions: ['3.0'] }],
      needed: [{ package: 'lib', versions: ['2.0', '2.1'] }],
    },
  },
  {
    because: [{ step: 0 }, { step: 1 }],
    conclusion: { kind: 'impossible', subjects: [{ package: 'maps', versions: null }] },
  },
  {
    because: [
      ...(['owner', 'engine', 'game', 'java'] as const).map((of) => ({
        kind: 'wish' as const,
        of,
        selector: { name: of, tag: 'stable' },
        isMissing: false,
      })),
      { kind: 'wish', of: 'owner', selector: { name: 'ghost' }, isMissing: true },
    ],
    conclusion: { kind: 'needed', subjects: [{ package: 'lib', versions: null }] },
  },
  { because: [{ step: 2 }], conclusion: { kind: 'end' } },
]
const changes: PackageChange[] = [
  { kind: 'remove', package: 'maps' },
  { kind: 'version', package: 'maps', version: '2.1' },
  { kind: 'ground', of: 'game', name: 'minecraft', version: '1.21.4' },
]

test.each([createI18n('en', en), createI18n('pl', pl), createI18n('de', de)])(
  'every reason is a sentence in $language',
  ({ t, language }) => {
    const told = tellConflicts(steps, { t, language })
    const sentences = told.flatMap(({ reasons, conclusion }) => [...reasons, conclusion])
    for (const sentence of sentences) expect(sentence).toMatch(/^[^{}]+\.$/)
    expect(new Set(sentences).size).toBe(sentences.length)
    expect(told[0]!.reasons[0]).toContain('maps 3.0 – 4.0')
    expect(changes.map((change) => tellChange(change, { t, language })).every((text) => text.length > 5)).toBe(true)
  },
)

test('in English they read so', () => {
  const told = tellConflicts(steps, createI18n('en', en))
  expect(told[1]).toEqual({
    reasons: [
      'economy comes only with bank or coins.',
      'paper and purpur are both engines, and a server has only one.',
    ],
    conclusion: 'So maps 3.0 also needs lib 2.0, 2.1.',
  })
  expect(tellChange(changes[2]!, createI18n('en', en))).toBe('minecraft 1.21.4 instead')
})
