import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeHandshake } from './handshake.ts'
import {
  type LegacyPing,
  readLegacyPing,
  readLegacyResponse,
  writeLegacyPing,
  writeLegacyResponse,
} from './legacy-ping.ts'
import { ProtocolError } from './protocol-error.ts'

const full: fc.Arbitrary<LegacyPing> = fc.record({
  form: fc.constant('1.6' as const),
  protocol: fc.integer({ min: 0, max: 255 }),
  host: fc.string({ maxLength: 255 }),
  port: fc.integer({ min: 0, max: 65535 }),
})

test('the three forms are recognised', () => {
  expect(readLegacyPing(Buffer.from('fe', 'hex'))).toEqual({ open: { form: 'beta' } })
  expect(readLegacyPing(Buffer.from('fe01', 'hex'))).toEqual({ open: { form: '1.4' } })
  const sent =
    'fe01fa000b004d0043007c00500069006e00670048006f00730074' +
    '0019' +
    '4a' +
    '0009' +
    '006c006f00630061006c0068006f00730074' +
    '000063dd'
  const ping: LegacyPing = { form: '1.6', protocol: 74, host: 'localhost', port: 25565 }
  expect(readLegacyPing(Buffer.from(sent, 'hex'))).toEqual(ping)
  expect(writeLegacyPing(ping).toString('hex')).toBe(sent)
})

test('the long form survives the round trip and stays open until its last byte', () => {
  fc.assert(
    fc.property(full, (ping) => {
      const bytes = writeLegacyPing(ping)
      expect(readLegacyPing(bytes)).toEqual(ping)
      for (let length = 3; length < bytes.length; length++) {
        expect(readLegacyPing(bytes.subarray(0, length))).toEqual({ open: undefined })
      }
    }),
    { numRuns: 30 },
  )
})

test('handshakes whose length looks like a legacy ping are none', () => {
  for (const hostLength of [246, 374]) {
    const bytes = writeHandshake({ protocol: 769, host: 'a'.repeat(hostLength), port: 25565, intent: 'login' })
    expect(bytes[0]).toBe(0xfe)
    expect(readLegacyPing(bytes)).toBeUndefined()
    expect(readLegacyPing(bytes.subarray(0, 3))).toBeUndefined()
  }
})

test('arbitrary bytes are read or refused', () => {
  const head = fc.constantFrom('', 'fe', 'fe01', 'fe01fa', 'fe01fa000b004d0043007c00500069006e00670048006f00730074')
  fc.assert(
    fc.property(head, fc.uint8Array({ maxLength: 40 }), (prefix, tail) => {
      try {
        readLegacyPing(Buffer.concat([Buffer.from(prefix, 'hex'), tail]))
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
      }
    }),
    { numRuns: 3000 },
  )
})

test('answers are read back', () => {
  const words = fc.string({ maxLength: 80 }).filter((text) => !/[\0§]/.test(text))
  const count = fc.integer({ min: 0, max: 10_000 })
  fc.assert(
    fc.property(words, count, count, (motd, online, max) => {
      const status = { protocol: 127, version: 'Wakestone', motd, online, max }
      expect(readLegacyResponse(writeLegacyResponse('1.6', status))).toEqual(status)
      expect(readLegacyResponse(writeLegacyResponse('1.4', status))).toEqual(status)
      expect(readLegacyResponse(writeLegacyResponse('beta', status))).toEqual({
        protocol: 0,
        version: '',
        motd,
        online,
        max,
      })
      expect(readLegacyResponse(writeLegacyResponse('1.6', status).subarray(0, -1))).toBeUndefined()
    }),
  )
  const colours = writeLegacyResponse('beta', { protocol: 0, version: '', motd: '§6Grass §7rests', online: 0, max: 9 })
  expect(readLegacyResponse(colours)).toMatchObject({ motd: 'Grass rests', online: 0, max: 9 })
})

test('answers of arbitrary bytes are read or refused', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.uint8Array({ maxLength: 40 }), (marked, tail) => {
      try {
        readLegacyResponse(marked ? Buffer.concat([Buffer.from([0xff, 0, 3]), tail]) : Buffer.from(tail))
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
      }
    }),
  )
})
