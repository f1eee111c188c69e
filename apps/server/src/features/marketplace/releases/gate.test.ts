import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PackageLoader, releaseStates, releaseTransitions } from '@wakestone/contract/marketplace/values'
import { type ArchiveInspection, findingRules } from '@wakestone/protocol/inspection'
import { decide, type Inspected, judgeFiles } from './gate.ts'

const clean = (more: Partial<ArchiveInspection> = {}): ArchiveInspection => ({
  kind: 'archive',
  entries: 1,
  unpacked: 10,
  markers: ['plugin.yml'],
  stated: { name: 'Sample', version: '1.0.0' },
  findings: [],
  ...more,
})
const judge = (found: Inspected['found'], loaders = ['paper'] as PackageLoader[], version = '1.0.0') =>
  judgeFiles([{ name: 'a.jar', found }], { projectType: 'plugin', loaders, version })
const rulesOf = (findings: { rule: string }[]) => findings.map(({ rule }) => rule)

describe('the gate', () => {
  test('finds nothing in what is what it says', () => {
    expect(judge(clean())).toEqual([])
    expect(rulesOf(judge(clean({ stated: { name: null, version: 'V1.0.0' } })))).toEqual([])
    expect(rulesOf(judge(clean({ stated: { name: null, version: '${version}' } })))).toEqual([])
  })

  test('wants the file of each loader, and the version of the file', () => {
    expect(judge(clean(), ['paper', 'velocity'])).toMatchObject([{ rule: 'loader_missing', details: ['velocity'] }])
    expect(rulesOf(judge(clean(), ['paper'], '2.0'))).toEqual(['version_differs'])
  })

  test('refuses what nobody could look at', () => {
    for (const found of ['not_inspected', 'quarantined', 'file_changed'] as const)
      expect(decide(judge(found), { isKnown: true, before: [found] })).toBe('refused')
  })

  test('never publishes what is refused, has a person look at what is new, and passes on what was seen before', () => {
    const rule = fc.constantFrom(...findingRules)
    fc.assert(
      fc.property(fc.array(rule), fc.array(rule), fc.boolean(), (now, before, isKnown) => {
        const findings = judge(clean({ findings: now.map((one) => ({ rule: one, details: [] })) }))
        const verdict = decide(findings, { isKnown, before })
        const isRefused = findings.some(({ level }) => level === 'refused')
        const isNew = findings.some(({ level, rule: one }) => level === 'warning' && !before.includes(one as never))
        expect(verdict).toBe(isRefused ? 'refused' : !isKnown || isNew ? 'waiting' : 'published')
      }),
    )
  })
})

test('what is published is only ever withdrawn, and what is over stays as it is', () => {
  expect(releaseTransitions.published).toEqual(['withdrawn'])
  for (const state of releaseStates)
    for (const next of releaseTransitions[state])
      expect(releaseStates.indexOf(next)).toBeGreaterThan(releaseStates.indexOf(state))
})
