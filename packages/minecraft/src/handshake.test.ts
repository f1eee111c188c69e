import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cleanHost, type Handshake, readHandshake, writeHandshake } from './handshake.ts'
import { readLoginDisconnect, readLoginStart, writeLoginDisconnect, writeLoginStart } from './login.ts'
import { type Packet, readPacket } from './packet.ts'
import { ProtocolError } from './protocol-error.ts'
import {
  frameStatusResponse,
  readPing,
  readStatusResponse,
  STATUS_REQUEST,
  writePing,
  writeStatusResponse,
} from './status.ts'

function onlyPacket(bytes: Buffer): Packet {
  const packet = readPacket(bytes)
  if (!packet) throw new Error('incomplete')
  expect(packet.size).toBe(bytes.length)
  return packet
}

const anyPacket = fc.record({
  id: fc.constantFrom(0, 0, 0, 1, 2),
  data: fc.uint8Array({ maxLength: 80 }).map((array) => Buffer.from(array)),
  size: fc.constant(0),
})

test('a handshake survives the round trip', () => {
  const handshake: fc.Arbitrary<Handshake> = fc.record({
    protocol: fc.integer(),
    host: fc.string({ maxLength: 255 }),
    port: fc.integer({ min: 0, max: 65535 }),
    intent: fc.constantFrom('status', 'login', 'transfer'),
  })
  fc.assert(
    fc.property(handshake, (value) => {
      expect(readHandshake(onlyPacket(writeHandshake(value)))).toEqual(value)
    }),
  )
})

test('the readers of packets throw nothing but ProtocolError', () => {
  const readers = [readHandshake, readLoginStart, readLoginDisconnect, readStatusResponse, readPing]
  fc.assert(
    fc.property(anyPacket, fc.constantFrom(...readers), (packet, read) => {
      try {
        read(packet)
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
      }
    }),
    { numRuns: 5000 },
  )
})

test.each([
  ['plain', 'grass.example.org'],
  ['upper case', 'GRASS.Example.ORG'],
  ['absolute', 'grass.example.org.'],
  ['absolute, twice', 'grass.example.org..'],
  ['Forge up to 1.12', 'grass.example.org\0FML\0'],
  ['Forge up to 1.17', 'grass.example.org\0FML2\0'],
  ['Forge up to 1.20.1', 'grass.example.org\0FML3\0'],
  ['Forge since 1.20.2', 'Grass.example.org.\0FORGE4'],
  ['BungeeCord', 'grass.example.org\x00203.0.113.9\x00069a79f444e94726a5befca90e38aaf5\x00[{"name":"textures"}]'],
  ['TCPShield', 'grass.example.org///203.0.113.9:54321///1700000000///c2lnbmF0dXJl'],
  ['infinity-filter', 'grass.example.org\\203.0.113.9'],
  ['properties since 26.4', 'Grass.example.org.?_o=play.example.org:25565&a=b'],
  ['properties and Forge', 'grass.example.org?a=b\0FORGE4'],
])('the host is clean: %s', (_, host) => {
  expect(cleanHost(host)).toBe('grass.example.org')
})

test('cleaning any host ends, and cleaning again changes nothing', () => {
  fc.assert(
    fc.property(fc.string(), (host) => {
      expect(cleanHost(cleanHost(host))).toBe(cleanHost(host))
    }),
  )
  expect(cleanHost('')).toBe('')
  expect(cleanHost('...')).toBe('')
  expect(cleanHost('::1')).toBe('::1')
})

test('login start: a name of up to 16 characters, whatever versions append', () => {
  expect(readLoginStart(onlyPacket(writeLoginStart('Steve')))).toBe('Steve')
  expect(readLoginStart(onlyPacket(writeLoginStart('Steve', Buffer.alloc(16, 7))))).toBe('Steve')
  expect(() => readLoginStart(onlyPacket(writeLoginStart('x'.repeat(17))))).toThrow(ProtocolError)
})

test('a login disconnect keeps its words', () => {
  const words = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('§'))
  fc.assert(
    fc.property(words, (text) => {
      expect(readLoginDisconnect(onlyPacket(writeLoginDisconnect({ text })))).toBe(text)
    }),
  )
})

test('status: request, answer, ping', () => {
  expect(STATUS_REQUEST.toString('hex')).toBe('0100')
  const answer = writeStatusResponse({
    version: { name: '1.21.4', protocol: 769 },
    players: { max: 20, online: 2, sample: [{ name: 'Alex', id: '00000000-0000-0000-0000-000000000000' }] },
    description: { text: 'Hello' },
    favicon: 'data:image/png;base64,iVBO\nRw0K',
  })
  expect(readStatusResponse(onlyPacket(answer))).toEqual({
    version: '1.21.4',
    protocol: 769,
    online: 2,
    max: 20,
    names: ['Alex'],
    description: { text: 'Hello' },
    icon: 'data:image/png;base64,iVBORw0K',
  })
  const payload = Buffer.from('0123456789abcdef', 'hex')
  expect(readPing(onlyPacket(writePing(payload)))).toEqual(payload)
  expect(() => readPing(onlyPacket(writePing(payload.subarray(1))))).toThrow(ProtocolError)
})

test('a status written around its icon is the same, byte for byte', () => {
  const base64 = fc.string({ unit: fc.constantFrom(...'ABCxyz0189+/='), minLength: 1, maxLength: 30_000 })
  const icons = fc.option(base64.map((text) => `data:image/png;base64,${text}`))
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer(), icons, (text, protocol, icon) => {
      const status = { version: { name: text, protocol }, players: { max: 20, online: 0 }, description: { text } }
      const { before, behind } = frameStatusResponse(status, icon?.length ?? 0)
      const written = Buffer.from(`${before}${icon ?? ''}${behind}`, 'latin1')
      expect(written.equals(writeStatusResponse({ ...status, ...(icon !== null && { favicon: icon }) }))).toBe(true)
    }),
  )
})

test('a status of any JSON is read without a fault', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('version', 'players', 'description', 'favicon', 'x'), fc.jsonValue()),
      (json) => {
        const summary = readStatusResponse(onlyPacket(writeStatusResponse(json as never)))
        expect(Number.isFinite(summary.online) && Number.isFinite(summary.max)).toBe(true)
        expect(summary.names.every((name) => typeof name === 'string')).toBe(true)
      },
    ),
  )
})
