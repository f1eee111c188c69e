import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wholeLines } from './pieces.ts'

const text = fc.string({ unit: fc.constantFrom('a', 'ż', '😀', '\n', 'bc'), maxLength: 60 })

test('a file read forward in pieces is the file', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 20 }), (whole, size) => {
      const bytes = new TextEncoder().encode(whole)
      const shown: string[] = []
      let at = 0
      while (at < bytes.length) {
        const end = Math.min(bytes.length, at + size)
        const { to } = wholeLines(bytes.subarray(at, end), { isFirst: true, isLast: end === bytes.length })
        expect(to).toBeGreaterThan(0)
        shown.push(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(at, at + to)))
        at += to
      }
      expect(shown.join('')).toBe(whole)
    }),
  )
})

test('a file read backward in pieces is the file', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 8, max: 20 }), (whole, size) => {
      const bytes = new TextEncoder().encode(whole)
      const shown: string[] = []
      let end = bytes.length
      while (end > 0) {
        const at = Math.max(0, end - size)
        const { from } = wholeLines(bytes.subarray(at, end), { isFirst: at === 0, isLast: true })
        expect(at + from).toBeLessThan(end)
        shown.unshift(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(at + from, end)))
        end = at + from
      }
      expect(shown.join('')).toBe(whole)
    }),
  )
})

test('pieces within a file begin and end with lines', () => {
  const bytes = new TextEncoder().encode('half\none\ntwo\nhal')
  expect(wholeLines(bytes, { isFirst: false, isLast: false })).toEqual({ from: 5, to: 13 })
})
