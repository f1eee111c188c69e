import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createByteQueue } from './byte-queue.ts'
import { createFieldReader, type Packet, peekPacketId, readPacket, writePacket, writeString } from './packet.ts'
import { ProtocolError } from './protocol-error.ts'
import { readVarInt, writeVarInt } from './var-int.ts'

/** All packets of a stream that arrives in the given chunks, and how it ended. */
function readStream(chunks: Buffer[], maxBytes: number) {
  const queue = createByteQueue()
  const packets: { id: number; data: string }[] = []
  try {
    for (const chunk of chunks) {
      queue.push(chunk)
      for (let packet: Packet | undefined; (packet = readPacket(queue.peek(), maxBytes));) {
        packets.push({ id: packet.id, data: packet.data.toString('hex') })
        queue.skip(packet.size)
      }
    }
    return { packets, rest: queue.peek().toString('hex'), failed: false }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    return { packets, rest: '', failed: true }
  }
}

function cut(bytes: Buffer, sizes: number[]): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return chunks
}

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array))
const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 })

test('a VarInt of every size survives the round trip, and needs all its bytes', () => {
  fc.assert(
    fc.property(fc.integer(), (value) => {
      const written = writeVarInt(value)
      expect(readVarInt(written, 0)).toEqual({ value, next: written.length })
      expect(readVarInt(written.subarray(0, -1), 0)).toBeUndefined()
    }),
  )
  expect(writeVarInt(-1).toString('hex')).toBe('ffffffff0f')
  expect(writeVarInt(25565).toString('hex')).toBe('ddc701')
  expect(() => readVarInt(Buffer.alloc(9, 0xff), 0)).toThrow(ProtocolError)
})

test('packets come out the same however the stream is cut', () => {
  const packet = fc.tuple(fc.integer({ min: 0, max: 300 }), bytes)
  fc.assert(
    fc.property(fc.array(packet, { maxLength: 6 }), bytes, cuts, (sent, tail, sizes) => {
      const stream = Buffer.concat([...sent.map(([id, data]) => writePacket(id, data)), tail])
      const whole = readStream([stream], 1000)
      expect(readStream(cut(stream, sizes), 1000)).toEqual(whole)
      const expected = sent.map(([id, data]) => ({ id, data: data.toString('hex') }))
      expect(whole.packets.slice(0, sent.length)).toEqual(expected)
    }),
  )
})

test('arbitrary bytes give packets, a wait for more, or a ProtocolError', () => {
  fc.assert(
    fc.property(bytes, cuts, (stream, sizes) => {
      expect(readStream(cut(stream, sizes), 64)).toEqual(readStream([stream], 64))
    }),
    { numRuns: 2000 },
  )
})

test('a length beyond the limit is refused before its bytes are waited for', () => {
  expect(() => readPacket(writeVarInt(101), 100)).toThrow(ProtocolError)
  expect(() => readPacket(writeVarInt(-1), 100)).toThrow(ProtocolError)
  expect(() => readPacket(Buffer.from([0]), 100)).toThrow(ProtocolError)
  expect(readPacket(writeVarInt(100), 100)).toBeUndefined()
})

test('the id is known before the packet is complete', () => {
  expect(peekPacketId(Buffer.from('GET / HTTP/1.1\r\n'))).toBe(0x45)
  expect(peekPacketId(Buffer.from([0x10]))).toBeUndefined()
  expect(peekPacketId(Buffer.from([0x10, 0x00]))).toBe(0)
})

test('a queue fed byte by byte keeps what waits, and does not write into chunks of the network', () => {
  const queue = createByteQueue()
  const roomy = Buffer.from('abXYZ')
  queue.push(roomy.subarray(0, 2))
  for (const letter of 'cdefgh') queue.push(Buffer.from(letter))
  expect(queue.peek().toString()).toBe('abcdefgh')
  queue.skip(3)
  expect(queue.peek().toString()).toBe('defgh')
  expect(roomy.toString()).toBe('abXYZ')
  queue.skip(99)
  expect(queue.peek()).toHaveLength(0)
})

test('strings keep to their limit and to their packet', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 })
  fc.assert(
    fc.property(text, (value) => {
      expect(createFieldReader(writeString(value)).string(200)).toBe(value)
    }),
  )
  expect(() => createFieldReader(writeString('abcde')).string(4)).toThrow(ProtocolError)
  expect(() => createFieldReader(writeString('abcde').subarray(0, 4)).string(9)).toThrow(ProtocolError)
  expect(() => createFieldReader(writeVarInt(-5)).string(9)).toThrow(ProtocolError)
})
