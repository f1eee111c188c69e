import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  canShowDialog,
  canWaitInConfiguration,
  readConfigurationKeepAlive,
  toClient,
  toServer,
  writeConfigurationDisconnect,
  writeConfigurationKeepAlive,
  writeLoginSuccess,
  writeNoticeDialog,
  writeTransfer,
} from './configuration.ts'
import { readLoginUuid, writeLoginStart } from './login.ts'
import { type PacketNbt, writePacketNbt } from './packet-nbt.ts'
import { createFieldReader, type Packet, readPacket, writePacket } from './packet.ts'
import { ProtocolError } from './protocol-error.ts'

function onlyPacket(bytes: Buffer): Packet {
  const packet = readPacket(bytes)
  if (!packet) throw new Error('incomplete')
  expect(packet.size).toBe(bytes.length)
  return packet
}

/** A reader of NBT, as clients have one. */
function readNbt(bytes: Buffer): PacketNbt {
  let offset = 0
  const take = (count: number) => bytes.subarray(offset, (offset += count))
  const text = () => {
    const units: number[] = []
    const encoded = take(take(2).readUInt16BE())
    for (let at = 0; at < encoded.length;) {
      const [one = 0, two = 0, three = 0] = encoded.subarray(at)
      const size = one < 0x80 ? 1 : one < 0xe0 ? 2 : 3
      if (size === 1) units.push(one)
      else if (size === 2) units.push(((one & 0x1f) << 6) | (two & 0x3f))
      else units.push(((one & 0x0f) << 12) | ((two & 0x3f) << 6) | (three & 0x3f))
      at += size
    }
    return String.fromCharCode(...units)
  }
  const payload = (type: number): PacketNbt => {
    if (type === 8) return text()
    if (type === 1) return take(1)[0] === 1
    if (type === 9) {
      const of = take(1)[0]!
      return Array.from({ length: take(4).readInt32BE() }, () => payload(of))
    }
    if (type !== 10) throw new Error(`type ${type}`)
    const fields: Record<string, PacketNbt> = {}
    for (let of = take(1)[0]; of; of = take(1)[0]) fields[text()] = payload(of)
    return fields
  }
  const value = payload(take(1)[0]!)
  expect(offset).toBe(bytes.length)
  return value
}

const words = fc.string({ unit: 'binary', maxLength: 40 })

test('NBT holds any words and any nesting', () => {
  // The reader of this test makes plain objects.
  const names = words.filter((name) => name !== '__proto__')
  const { value } = fc.letrec<{ value: PacketNbt }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      words,
      fc.boolean(),
      fc.array(words, { maxLength: 4 }),
      fc.array(fc.dictionary(names, tie('value'), { noNullPrototype: true }), { maxLength: 3 }),
      fc.dictionary(names, tie('value'), { noNullPrototype: true }),
    ),
  }))
  fc.assert(
    fc.property(value, (tree) => {
      expect(readNbt(writePacketNbt(tree))).toEqual(tree)
    }),
  )
  expect(writePacketNbt({ text: 'ż🐢' }).toString('hex')).toBe('0a0800047465787400' + '08c5bceda0bdedb0a200')
  expect(() => writePacketNbt('x'.repeat(70_000))).toThrow(RangeError)
})

test.each([
  [766, true],
  [767, true],
  [768, false],
  [775, false],
])('a login success of protocol %i ends in a boolean: %s', (protocol, strict) => {
  const uuid = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
  const { id, data } = onlyPacket(writeLoginSuccess({ protocol, uuid, name: 'Steve' }))
  expect(id).toBe(2)
  const fields = createFieldReader(data)
  expect(fields.bytes(16)).toEqual(uuid)
  expect(fields.string(16)).toBe('Steve')
  expect(fields.varInt()).toBe(0)
  if (strict) expect(fields.bytes(1)[0]).toBe(0)
  expect(() => fields.bytes(1)).toThrow(ProtocolError)
})

test('which protocols can wait, and be shown a window', () => {
  expect([765, 766, 770, 775, 776, 0x40000009, -1].map(canWaitInConfiguration)).toEqual([
    false,
    true,
    true,
    true,
    false,
    false,
    false,
  ])
  expect([766, 770, 771, 775, 776].map(canShowDialog)).toEqual([false, false, true, true, false])
})

test('keep-alives come back as they went, and nothing else is taken for one', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (number) => {
      const sent = onlyPacket(writeConfigurationKeepAlive(number))
      expect(readConfigurationKeepAlive(onlyPacket(writePacket(toServer.keepAlive, sent.data)))).toBe(number)
    }),
  )
  const anyPacket = fc.record({
    id: fc.constantFrom(toServer.keepAlive, toServer.keepAlive, 0, 1),
    data: fc.uint8Array({ maxLength: 12 }).map((array) => Buffer.from(array)),
    size: fc.constant(0),
  })
  fc.assert(
    fc.property(anyPacket, fc.constantFrom(readConfigurationKeepAlive, readLoginUuid), (packet, read) => {
      try {
        read(packet)
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
      }
    }),
    { numRuns: 2_000 },
  )
})

test('a transfer, a window and a goodbye are as clients read them', () => {
  const transfer = onlyPacket(writeTransfer('grass.example.org', 25565))
  const fields = createFieldReader(transfer.data)
  expect([transfer.id, fields.string(255), fields.varInt()]).toEqual([toClient.transfer, 'grass.example.org', 25565])
  const dialog = onlyPacket(
    writeNoticeDialog({ title: { text: 'Grass', bold: true }, text: { text: '', extra: [{ text: 'soon' }] } }),
  )
  expect([dialog.id, readNbt(dialog.data)]).toEqual([
    toClient.showDialog,
    {
      type: 'minecraft:notice',
      title: { text: 'Grass', bold: true },
      body: { type: 'minecraft:plain_message', contents: { text: '', extra: [{ text: 'soon' }] } },
      can_close_with_escape: true,
      pause: false,
      after_action: 'close',
    },
  ])
  const goodbye = onlyPacket(writeConfigurationDisconnect({ text: 'Crashed' }))
  expect([goodbye.id, readNbt(goodbye.data)]).toEqual([toClient.disconnect, { text: 'Crashed' }])
})

test('the id of a player is read where it is sent', () => {
  const uuid = Buffer.from('00112233445566778899aabbccddeeff', 'hex')
  expect(readLoginUuid(onlyPacket(writeLoginStart('Żółw', uuid)))).toEqual(uuid)
  expect(() => readLoginUuid(onlyPacket(writeLoginStart('Steve')))).toThrow(ProtocolError)
})
