import { expect, test } from 'vitest'
import { createWindowKeys } from './window-keys.ts'

test('what stays in sight keeps its key; what is replaced as a whole hands its keys on', () => {
  const keys = createWindowKeys()
  const window = (from: number, to: number) => {
    const shift = keys(from, to)
    return [from - shift, to - shift]
  }
  const [first, last] = window(100, 130)
  expect(window(110, 140)).toEqual([(first ?? 0) + 10, (last ?? 0) + 10])
  expect(window(500, 530)).toEqual([(first ?? 0) + 10, (last ?? 0) + 10])
  expect(window(0, 30)).toEqual([(first ?? 0) + 10, (last ?? 0) + 10])
})
