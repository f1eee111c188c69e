import { SocketAddress } from 'node:net'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ProtocolError } from './protocol-error.ts'
import { readProxyHeader, writeProxyHeader } from './proxy-protocol.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const port = fc.integer({ min: 0, max: 65535 })
const v4 = fc.record({ address: fc.ipV4(), port })
const v6 = fc.record({
  address: fc.ipV6().map((address) => new SocketAddress({ address, family: 'ipv6' }).address),
  port,
})

test('addresses of either family survive the round trip, with fields appended and bytes behind', () => {
  const ends = fc.oneof(fc.record({ source: v4, destination: v4 }), fc.record({ source: v6, destination: v6 }))
  fc.assert(
    fc.property(ends, fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 20 }), (given, fields, behind) => {
      const header = writeProxyHeader(given)
      header.writeUInt16BE(header.readUInt16BE(14) + fields.length, 14)
      const size = header.length + fields.length
      expect(readProxyHeader(Buffer.concat([header, fields, behind]))).toEqual({ ...given, size })
      for (let length = 0; length < header.length; length++) {
        expect(readProxyHeader(header.subarray(0, length))).toBeUndefined()
      }
    }),
  )
})

test('a mixed pair is written as IPv6', () => {
  const header = writeProxyHeader({
    source: { address: '203.0.113.7', port: 1 },
    destination: { address: '::1', port: 2 },
  })
  expect(header[13]).toBe(0x21)
  expect(header.subarray(16, 32).toString('hex')).toBe('00000000000000000000ffffcb007107')
  expect(readProxyHeader(header)?.source?.address).toBe('::ffff:203.0.113.7')
})

test('the bytes are those of the specification', () => {
  const header = writeProxyHeader({
    source: { address: '192.168.0.1', port: 56324 },
    destination: { address: '192.168.0.11', port: 443 },
  })
  expect(header).toEqual(hex('0d0a0d0a000d0a515549540a 2111000c c0a80001 c0a8000b dc04 01bb'))
  expect(writeProxyHeader(null)).toEqual(hex('0d0a0d0a000d0a515549540a 20000000'))
})

test('LOCAL and families that are not TCP name nobody', () => {
  const nobody = { source: null, destination: null }
  expect(readProxyHeader(writeProxyHeader(null))).toEqual({ ...nobody, size: 16 })
  const unspecified = hex('0d0a0d0a000d0a515549540a 21000000')
  expect(readProxyHeader(unspecified)).toEqual({ ...nobody, size: 16 })
  const unix = Buffer.concat([hex('0d0a0d0a000d0a515549540a 213100d8'), Buffer.alloc(216)])
  expect(readProxyHeader(unix)).toEqual({ ...nobody, size: 232 })
})

test('what cannot become a header is refused at its first wrong byte', () => {
  expect(() => readProxyHeader(Buffer.from('0d0a0e', 'hex'))).toThrow(ProtocolError)
  expect(() => readProxyHeader(Buffer.from('PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n'))).toThrow(ProtocolError)
  expect(() => readProxyHeader(hex('0d0a0d0a000d0a515549540a 11'))).toThrow(ProtocolError)
  expect(() => readProxyHeader(hex('0d0a0d0a000d0a515549540a 2111ffff'))).toThrow(ProtocolError)
  const short = hex('0d0a0d0a000d0a515549540a 21110004 01020304')
  expect(() => readProxyHeader(short)).toThrow(ProtocolError)
})

test('arbitrary bytes are read or refused', () => {
  const head = fc.constantFrom('', '0d0a0d0a000d0a515549540a', '0d0a0d0a000d0a515549540a21')
  fc.assert(
    fc.property(head, fc.uint8Array({ maxLength: 60 }), (prefix, tail) => {
      try {
        readProxyHeader(Buffer.concat([Buffer.from(prefix, 'hex'), tail]))
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
      }
    }),
    { numRuns: 3000 },
  )
})
