import { inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFarewell, writeDisconnect } from './farewell.ts'
import { readDatagram, writeFrame, writeReceipt } from './frames.ts'

const anyBytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array))

test('frames are read back; what comes from strangers never throws', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 1400 }), fc.nat(0xff_ffff), (payload, sequence) => {
      const datagram = readDatagram(writeFrame(Buffer.from(payload), { sequence, index: 3 }))
      expect(datagram).toEqual({ kind: 'frames', sequence, payloads: [Buffer.from(payload)] })
    }),
  )
  expect(readDatagram(writeReceipt(7))).toEqual({ kind: 'receipt' })
  const client = { address: '::1', port: 1 }
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(0x05, 0x07, 0x80, 0x84, 0x8c, 0xc0), anyBytes(80))), (datagrams) => {
      const farewell = createFarewell({ guid: 1n, client, text: 'x' })
      for (const [first, rest] of datagrams) {
        const { replies } = farewell.answer(Buffer.concat([Buffer.of(first), rest]))
        // Nobody's answers are to hit somebody else harder than the questions have hit us.
        expect(Buffer.concat(replies).length).toBeLessThan(1_000)
      }
    }),
  )
})

test('no farewell can be taken for a compressed one', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const batch = writeDisconnect(text).subarray(1)
      expect(() => inflateRawSync(batch)).toThrow(/invalid block type/)
      expect(batch.toString()).toContain(text)
    }),
  )
})
