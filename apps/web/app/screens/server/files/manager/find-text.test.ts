import { expect, test } from 'vitest'
import { finderOf } from './find-text.ts'

const any = { matchCase: false, isRegex: false }

test('marks what was found, by letters of any case, by exact ones, or by a pattern', () => {
  expect(finderOf('Motd', any)('the motd=Hi')).toEqual([4, 4])
  expect(finderOf('Motd', { ...any, matchCase: true })('the motd=Hi')).toBeUndefined()
  expect(finderOf('a.b(', any)('xa.b(y')).toEqual([1, 4])
  expect(finderOf('a.b', any)('axb')).toBeUndefined()
  expect(finderOf(String.raw`port=\d+`, { ...any, isRegex: true })('server-port=25565')).toEqual([7, 10])
})

test('a pattern that this browser cannot read marks nothing', () => {
  expect(finderOf('(?<', { ...any, isRegex: true })('(?<')).toBeUndefined()
  expect(finderOf('a**', { ...any, isRegex: true })('aaa')).toBeUndefined()
})
