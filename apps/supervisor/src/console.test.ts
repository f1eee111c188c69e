import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ConsoleLine } from '@wakestone/protocol/supervisor'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineSplitter, MAX_LINE_LENGTH } from './console-lines.ts'
import { type ConsoleBatch, openConsole } from './console.ts'
import { tempFolder } from './test-support/temp.ts'

const parse = (batch: ConsoleBatch) => batch.lines.map((line) => JSON.parse(line) as ConsoleLine)

test('numbers go on after a kill, and a torn line does not swallow the next', () => {
  const folder = tempFolder()
  const first = openConsole({ folder })
  first.write('out', 'one')
  first.write('out', 'two')
  first.flush() // a kill closes nothing
  appendFileSync(join(folder, 'current.ndjson'), '{"seq":3,"time":1,"str')
  const second = openConsole({ folder })
  second.write('in', 'three')
  expect(parse(second.linesAfter(0)).map(({ seq, stream, text }) => [seq, stream, text])).toEqual([
    [1, 'out', 'one'],
    [2, 'out', 'two'],
    [3, 'in', 'three'],
  ])
  second.close()
  const third = openConsole({ folder })
  expect(third.lastTexts(2)).toEqual(['two', 'three'])
  third.close()
})

test('a line is on the volume before a listener sees it', () => {
  const folder = tempFolder()
  const gameConsole = openConsole({ folder })
  let onDisk = ''
  gameConsole.listen(() => (onDisk = readFileSync(join(folder, 'current.ndjson'), 'utf8')))
  gameConsole.write('out', 'hello')
  gameConsole.flush()
  expect(onDisk).toContain('"text":"hello"')
  gameConsole.close()
})

test('the last 1 000 lines are kept, on the volume within bounds', () => {
  const folder = tempFolder()
  const gameConsole = openConsole({ folder })
  const seen: number[] = []
  gameConsole.listen(({ firstSeq, lines }) => seen.push(...lines.map((_line, index) => firstSeq + index)))
  for (let index = 1; index <= 60_000; index++) gameConsole.write('out', `line ${index} ${'x'.repeat(200)}`)
  expect(parse(gameConsole.linesAfter(0)).map(({ seq }) => seq)).toEqual(
    Array.from({ length: 1000 }, (_, at) => 59_001 + at),
  )
  expect(gameConsole.linesAfter(59_990)).toMatchObject({ firstSeq: 59_991, lines: { length: 10 } })
  expect(gameConsole.linesAfter(60_000).lines).toEqual([])
  expect(seen).toEqual(Array.from({ length: 60_000 }, (_, at) => at + 1))
  gameConsole.close()
  for (const file of ['current', 'previous']) expect(statSync(join(folder, `${file}.ndjson`)).size).toBeLessThan(5e6)
  const again = openConsole({ folder })
  expect(again.linesAfter(0).lines).toHaveLength(1000)
  again.close()
})

test('very long lines are bounded in memory', () => {
  const gameConsole = openConsole({ folder: tempFolder() })
  for (let index = 0; index < 1000; index++) gameConsole.write('out', 'x'.repeat(MAX_LINE_LENGTH))
  const { lines } = gameConsole.linesAfter(0)
  expect(lines.reduce((sum, line) => sum + line.length, 0)).toBeLessThanOrEqual(8 * 1024 * 1024)
  expect(lines.length).toBeGreaterThan(100)
  gameConsole.close()
})

test('lines come out whole however the output is cut into chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(20)), (texts, cuts) => {
      const lines = texts.map((text) => text.replaceAll(/[\r\n]/g, ' '))
      const data = Buffer.from(lines.map((line, index) => `${line}${index % 2 ? '\r\n' : '\n'}`).join(''))
      const found: string[] = []
      const splitter = createLineSplitter((line) => found.push(line))
      let from = 0
      for (const cut of [...cuts, data.length]) {
        splitter.push(data.subarray(from, from + cut))
        from += cut
      }
      splitter.end()
      expect(found).toEqual(lines)
    }),
  )
})

test('output without line ends is cut', () => {
  const found: string[] = []
  const splitter = createLineSplitter((line) => found.push(line))
  for (let index = 0; index < 20; index++) splitter.push(Buffer.from('y'.repeat(10_000)))
  splitter.end()
  expect(found.join('')).toBe('y'.repeat(200_000))
  expect(Math.max(...found.map((line) => line.length))).toBe(MAX_LINE_LENGTH)
})
