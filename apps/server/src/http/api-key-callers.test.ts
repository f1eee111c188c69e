import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compile } from './api-key-callers.ts'

const octets = fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }) // few values, so that blocks are often hit
const bitsOf = (parts: number[]) => parts.map((part) => part.toString(2).padStart(8, '0')).join('')

test('an address lies in a block when their first bits are the same', () => {
  fc.assert(
    fc.property(octets, octets, fc.nat(32), (address, block, length) => {
      const isIn = bitsOf(address).slice(0, length) === bitsOf(block).slice(0, length)
      const isAllowed = compile([`${block.join('.')}/${length}`])
      expect(isAllowed(address.join('.'))).toBe(isIn)
      expect(isAllowed(`::ffff:${address.join('.')}`)).toBe(isIn) // as a socket of both versions names it
    }),
  )
})

test.each([
  ['2001:db8:1::/48', '2001:db8:1:ffff::1', true],
  ['2001:db8:1::/48', '2001:db8:2::1', false],
  ['2001:db8::1/128', '2001:0db8:0:0::1', true],
  ['::1/128', '127.0.0.1', false],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['fe80::/10', 'fe80::1%eth0', true],
])('of %s, %s is part: %s', (range, address, isIn) => {
  expect(compile([range])(address)).toBe(isIn)
  expect(compile(['192.0.2.0/24', range])(address)).toBe(isIn)
})

test('without blocks every address will do', () => {
  expect(compile([])('203.0.113.9')).toBe(true)
})
