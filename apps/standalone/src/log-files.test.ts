import { expect, test } from 'vitest'
import { readable } from './log-files.ts'

test('a log entry becomes one readable line, with the fault below it', () => {
  const entry = { level: 50, time: '2026-11-20T14:03:22.123Z', part: 'api', server: 'x', tries: 3, msg: 'lost' }
  expect(readable(JSON.stringify(entry))).toEqual({
    level: 50,
    line: '2026-11-20T14:03:22.123Z error lost server=x tries=3',
  })
  const error = { type: 'Error', message: 'gone', stack: 'Error: gone\n    at here' }
  expect(readable(JSON.stringify({ level: 40, msg: 'lost', error })).line).toBe(
    'warn lost\n    Error: gone\n        at here',
  )
})

test.each(['plain words', '{"no":"level"}', '7', 'null', '{"broken'])('%s stays as it is', (line) => {
  expect(readable(line)).toEqual({ level: 0, line })
})
