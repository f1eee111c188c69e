import { expect, test } from 'vitest'
import { readFacts } from './event-facts.ts'

test('a crash tells its code, its reasons each once, and its last lines', () => {
  const facts = readFacts({
    crash_count: 3,
    code: 1,
    signal: null,
    crash_reasons: [{ tag: 'out_of_memory', details: {} }, { tag: 'out_of_memory' }, { tag: 'from_the_future' }],
    last_logs: ['a', 'b'],
  })
  expect(facts).toEqual({
    named: [
      { name: 'code', value: '1' },
      { name: 'crash_count', value: '3' },
    ],
    reasons: ['out_of_memory', 'unknown'],
    lines: ['a', 'b'],
  })
})

test('what tells a person nothing is left out', () => {
  expect(
    readFacts({ executor: 'uuid', plan: 'hash', kill: true, engine: { nested: 1 }, last_logs: 'no list' }),
  ).toEqual({ named: [], reasons: [], lines: [] })
})
