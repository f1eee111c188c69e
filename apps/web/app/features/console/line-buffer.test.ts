import type { ConsoleLine } from '@wakestone/contract/servers/stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineBuffer } from './line-buffer.ts'
import { cellsOf, createLineLayout } from './line-layout.ts'
import { readLogLine } from './log-line.ts'
import { createConsoleSearch, findInText, stepMatch } from './search.ts'

const line = (seq: number, text = `line ${seq}`, stream: ConsoleLine['stream'] = 'out'): ConsoleLine => ({
  seq,
  time: seq,
  stream,
  text,
})
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => line(from + i))

test('keeps the newest lines only, and knows how many have left', () => {
  const buffer = createLineBuffer(10_000)
  buffer.append(range(1, 25_000))
  expect(buffer.size()).toBe(10_000)
  expect(buffer.dropped()).toBe(15_000)
  expect(buffer.at(0)?.seq).toBe(15_001)
  expect(buffer.at(0)?.key).toBe(15_000)
  expect(buffer.at(9999)?.seq).toBe(25_000)
  expect(buffer.at(10_000)).toBeUndefined()
})

test('what is not for people is not missing', () => {
  const buffer = createLineBuffer(100)
  buffer.append([line(1), { ...line(4), unshown: 2 }, { ...line(9), unshown: 1 }])
  expect([1, 3].map((index) => buffer.at(index)?.seq)).toEqual([4, 9])
  expect(buffer.size()).toBe(4)
})

test('cleared lines do not come back', () => {
  const buffer = createLineBuffer(100)
  buffer.append(range(1, 10))
  buffer.clear()
  expect(buffer.append(range(1, 12))).toBe(2)
  expect(buffer.at(0)?.text).toBe('line 11')
})

test.each([
  [
    '[12:00:00] [Server thread/INFO]: Done (11.3s)! For help, type "help"',
    'Done (11.3s)! For help, type "help"',
    'good',
  ],
  ['[12:00:00 INFO]: Preparing level "world"', 'Preparing level "world"', 'info'],
  ['[12:00:00] [Server thread/WARN]: [EssentialsX] out of date', '[WARN] [EssentialsX] out of date', 'warn'],
  ['[12:00:00 ERROR]: Could not load', '[ERROR] Could not load', 'error'],
  ['[12:00:00] [main/FATAL] [mod]: gone', '[FATAL] [mod]: gone', 'error'],
  ['12:00:00.123 plain', 'plain', 'info'],
  ['[INFO] Loading', '[INFO] Loading', 'info'],
  ['\u001b[33m[12:00:00 WARN]: slow\u001b[0m', '[WARN] slow', 'warn'],
  ['java.lang.NullPointerException: x', 'java.lang.NullPointerException: x', 'error'],
  ['\tat net.minecraft.Main.run(Main.java:1)', '    at net.minecraft.Main.run(Main.java:1)', 'error'],
  ['[12:00:00] [Server thread/INFO]: <Zosia> [ERROR]: nie', '<Zosia> [ERROR]: nie', 'info'],
  ['[12:00:00] [Server thread/INFO]: Zosia joined the game', 'Zosia joined the game', 'good'],
])('%s', (raw, text, tone) => {
  const entry = readLogLine(line(1, raw), 0)
  expect(entry).toMatchObject({ text, tone })
  expect(entry.spans.map((span) => span.text).join('')).toBe(entry.text)
})

test('what went in and what the system says keep their words', () => {
  expect(readLogLine(line(1, 'say [12:00:00 ERROR]: x', 'in'), 0)).toMatchObject({
    text: '> say [12:00:00 ERROR]: x',
    tone: 'input',
  })
  expect(readLogLine(line(1, 'boom', 'err'), 0).tone).toBe('error')
})

test('the layout agrees with a naive one, however lines come and go', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 0, max: 20 }),
      fc.array(fc.array(fc.string({ maxLength: 60 }), { maxLength: 30 }), { maxLength: 12 }),
      (capacity, columns, batches) => {
        const buffer = createLineBuffer(capacity)
        const layout = createLineLayout(columns)
        let seq = 0
        for (const batch of batches) {
          buffer.append(batch.map((text) => line((seq += 1), text, 'system')))
          layout.update(buffer.size(), buffer.dropped(), (index) => buffer.at(index)?.text ?? '')
          let row = 0
          for (let index = 0; index < buffer.size(); index += 1) {
            const rows = columns === 0 ? 1 : Math.max(1, Math.ceil(cellsOf(buffer.at(index)?.text ?? '') / columns))
            expect(layout.rowOf(index)).toBe(row)
            expect(layout.rowsOf(index)).toBe(rows)
            expect(layout.lineAt(row)).toBe(index)
            expect(layout.lineAt(row + rows - 1)).toBe(index)
            row += rows
          }
          expect(layout.rows()).toBe(row)
        }
      },
    ),
    { verbose: true },
  )
})

test('the layout tells how many rows left, so that what is read stays in place', () => {
  const buffer = createLineBuffer(3)
  const layout = createLineLayout(10)
  const update = () => layout.update(buffer.size(), buffer.dropped(), (index) => buffer.at(index)?.text ?? '')
  buffer.append([line(1, 'x'.repeat(25)), line(2, 'y'), line(3, 'z')])
  expect(update()).toBe(0)
  buffer.append([line(4, 'w')])
  expect(update()).toBe(3)
  buffer.append(range(5, 20))
  expect(update()).toBe(3)
  layout.resize(3)
  expect(update()).toBe(0)
  expect(layout.rows()).toBe(9)
})

test('search follows the lines: new matches join, old ones leave', () => {
  const buffer = createLineBuffer(4)
  const search = createConsoleSearch()
  search.setNeedle('Zosia')
  buffer.append([line(1, 'zosia and ZOSIA'), line(2, 'nobody'), line(3, 'Zosia')])
  search.update(buffer)
  expect(search.matches().map((match) => [match.key, match.from])).toEqual([
    [0, 0],
    [0, 10],
    [2, 0],
  ])
  buffer.append([line(4, 'x'), line(5, 'zosia')])
  search.update(buffer)
  expect(search.matches().map((match) => match.key)).toEqual([2, 4])
  expect(search.inLine(4)).toHaveLength(1)
  expect(search.inLine(0)).toHaveLength(0)
  search.setNeedle('')
  expect(search.matches()).toHaveLength(0)
})

test('stepping goes round the ends and survives a match that has left', () => {
  const matches = [1, 2, 3].map((key) => ({ key, from: 0, to: 1 }))
  expect(stepMatch(matches, null, -1)?.key).toBe(3)
  expect(stepMatch(matches, null, 1)?.key).toBe(1)
  expect(stepMatch(matches, matches[2] ?? null, 1)?.key).toBe(1)
  expect(stepMatch(matches, matches[0] ?? null, -1)?.key).toBe(3)
  expect(stepMatch(matches, { key: 0, from: 0, to: 1 }, 1)?.key).toBe(1)
  expect(stepMatch([], null, 1)).toBeNull()
  expect(findInText('aaaa', 'aa')).toHaveLength(2)
})
