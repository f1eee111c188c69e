import { flagRuleSchema, flags } from '@wakestone/contract/site/flags'
import { expect, test } from 'vitest'
import { flagFields } from './flag-fields.ts'
import { move, ruleDraftOf, ruleOf } from './rule-fields.ts'

const zone = 'Europe/Warsaw'
const user = '0198c0de-0000-7000-8000-000000000001'

test.each([
  { countries: ['PL', 'DE'], value: true },
  { languages: ['pl'], percentage: 0, value: false },
  { users: [user, user.replace('1', '2')], percentage: 12.5, value: true },
] as const)('$countries $languages $users $percentage goes through the fields and comes back', (rule) => {
  const known = flagRuleSchema.parse(rule)
  const fields = flagFields['pay-later']
  expect(ruleOf(fields, ruleDraftOf(fields, known, zone), zone)).toEqual(known)
})

test('without a condition it is no good rule; nor with a share that is no number', () => {
  const fields = flagFields['demo-server']
  const draft = ruleDraftOf(fields, { value: flags['demo-server'].default }, zone)
  const faults = (rule: unknown) => flagRuleSchema.safeParse(rule).error?.issues.map(({ path }) => path.join('.'))
  expect(faults(ruleOf(fields, draft, zone))).toEqual([''])
  expect(faults(ruleOf(fields, { ...draft, percentage: 'half' }, zone))).toEqual(['percentage'])
  expect(faults(ruleOf(fields, { ...draft, users: 'admin' }, zone))).toEqual(['users.0'])
})

test('rules change places', () => {
  expect(move(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
  expect(move(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c'])
  expect(move(['a', 'b'], 0, -1)).toEqual(['a', 'b'])
  expect(move(['a', 'b'], 1, 2)).toEqual(['a', 'b'])
})
