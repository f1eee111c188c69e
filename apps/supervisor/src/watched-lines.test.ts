import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkWatchedLines, createLineWatch } from './watched-lines.ts'

const id = '5b9ac2a0-1f3f-4c8e-9d2f-2f1f5f3a7c11'

function watch(text: string) {
  const told: string[] = []
  const lines = createLineWatch((one) => told.push(one))
  lines.set([{ id, text }], 'mark')
  return { ...lines, told }
}

test('a text is found as a pattern would find it, whatever stands around it', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '.', '(', '\\', ' '), maxLength: 6 })
  fc.assert(
    fc.property(
      fc.array(letters, { minLength: 1, maxLength: 4 }),
      fc.array(letters, { maxLength: 12 }),
      (parts, around) => {
        fc.pre(parts.some((part) => part.trim() !== ''))
        const line = around.join('')
        const { read, told } = watch(parts.join('*'))
        read(line, 0)
        const wanted = parts.filter((part) => part.trim() !== '').map((part) => part.replace(/[.(\\]/g, '\\$&'))
        expect(told.length === 1).toBe(new RegExp(wanted.join('.*?'), 'is').test(line))
      },
    ),
  )
})

test('is told of once in a minute, also after the lines were set anew', () => {
  const { read, set, told } = watch('JOINED * game')
  read('Steve joined the game', 0)
  read('Alex joined the game', 59_000)
  set([{ id, text: 'left the game' }], 'other')
  read('Alex left the game', 59_500)
  expect(told).toHaveLength(1)
  read('Steve \u001b[33mleft\u001b[0m the game', 60_000)
  expect(told).toHaveLength(2)
  set([], null)
  read('Eve left the game', 900_000)
  expect(told).toHaveLength(2)
})

test('a line made to be slow is not', () => {
  const { read, told } = watch(`${'a*'.repeat(99)}b`)
  const line = 'a'.repeat(60_000)
  for (let time = 0; time < 5_000; time++) read(line, time)
  expect(told).toEqual([])
})

test('what is nothing to watch for is refused', () => {
  const good = { id, text: 'joined' }
  expect(checkWatchedLines([good])).toEqual([good])
  for (const bad of [
    null,
    {},
    [null],
    [{ ...good, id: 7 }],
    [{ ...good, id: '../..' }],
    [{ ...good, text: '* *' }],
    [{ ...good, text: 'x'.repeat(201) }],
    Array.from({ length: 21 }, () => good),
  ])
    expect(() => checkWatchedLines(bad)).toThrow('bad lines')
})
