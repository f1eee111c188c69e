import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pingBedrockServer } from './ping-server.ts'
import {
  MAGIC,
  readOpenRequest1,
  readOpenRequest2,
  readPing,
  readPong,
  withDialledPort,
  writeOpenReply1,
  writeOpenReply2,
  writePing,
  writePong,
} from './raknet.ts'
import { type BedrockStatus, formatBedrockStatus, parseBedrockStatus } from './status.ts'

const bytes = (length: number) =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array) => Buffer.from(array))
const guid = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })

/** Anything, and what begins like one of the messages. */
const foreign = fc.oneof(
  fc.uint8Array({ maxLength: 80 }).map((array) => Buffer.from(array)),
  fc
    .record({ id: fc.constantFrom(1, 2, 5, 6, 7, 8, 0x1c), before: fc.nat(30), rest: fc.uint8Array({ maxLength: 80 }) })
    .map(({ id, before, rest }) => Buffer.concat([Buffer.of(id), Buffer.alloc(before), MAGIC, rest])),
)

test('what is written is read; what comes from strangers never throws', () => {
  fc.assert(
    fc.property(bytes(8), guid, fc.string({ unit: 'grapheme', maxLength: 400 }), (time, id, text) => {
      expect(readPing(writePing(time, id))).toEqual(time)
      expect(readPong(writePong({ time, guid: id, text }))).toEqual({ time, guid: id, text })
    }),
  )
  fc.assert(
    fc.property(foreign, fc.integer({ min: 1, max: 65_535 }), (message, port) => {
      for (const read of [readPing, readPong, readOpenRequest1, readOpenRequest2]) read(message)
      expect(withDialledPort(message, port)).toHaveLength(message.length)
    }),
    { numRuns: 2000 },
  )
})

/** As a client of 1.26.20 sent them. */
const request1 = Buffer.concat([Buffer.of(5), MAGIC, Buffer.of(11), Buffer.alloc(1446)])
const request2 = Buffer.concat([
  Buffer.of(7),
  MAGIC,
  Buffer.from('0480fffffe4d41', 'hex'),
  Buffer.from('05d4', 'hex'),
  Buffer.alloc(8),
])

test('the handshake', () => {
  expect(readOpenRequest1(request1)).toEqual({ version: 11, mtu: 1492 })
  expect(readOpenRequest2(request2)).toEqual({ mtu: 1492 })
  const changed = withDialledPort(request2, 19_132)
  expect(changed.readUInt16BE(22)).toBe(19_132)
  expect([changed.subarray(0, 22), changed.subarray(24)]).toEqual([request2.subarray(0, 22), request2.subarray(24)])
  expect(request2.readUInt16BE(22)).toBe(0x4d41)
  expect(withDialledPort(request1, 1)).toBe(request1)
  expect(writeOpenReply1({ guid: 1n, mtu: 1492 })).toHaveLength(28)
  const reply = writeOpenReply2({ guid: 1n, mtu: 1492, client: { address: '10.0.0.2', port: 500 } })
  expect(reply.toString('hex', 25, 32)).toBe('04f5fffffd01f4')
})

const field = fc.string({ unit: 'grapheme', maxLength: 90 }).filter((text) => !/[;\\]|[\u0000-\u001f\u007f]/.test(text))
const anyStatus: fc.Arbitrary<BedrockStatus> = fc.record({
  motd: field,
  subMotd: field,
  protocol: fc.nat(),
  version: field,
  online: fc.nat(),
  max: fc.nat(),
  serverId: fc.nat().map(String),
  gamemode: fc.constantFrom('Survival', 'Creative'),
})

test('a status is read back, and no text in it can forge another field', () => {
  fc.assert(
    fc.property(anyStatus, fc.integer({ min: 1, max: 65_535 }), (status, port) => {
      const text = formatBedrockStatus(status, port)
      expect(text.split(';').slice(-3)).toEqual([`${port}`, `${port}`, ''])
      const read = parseBedrockStatus(text)!
      expect({ ...read, motd: status.motd.slice(0, 0), subMotd: '', version: '' }).toEqual({
        ...status,
        motd: '',
        subMotd: '',
        version: '',
      })
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (motd) => {
      const status = { motd, subMotd: '', protocol: 1, version: '1', online: 0, max: 3, serverId: '1', gamemode: 'x' }
      expect(formatBedrockStatus(status, 1).split(';')).toHaveLength(13)
    }),
  )
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseBedrockStatus(text)))
  expect(
    parseBedrockStatus('MCPE;Dedicated\\; Server;975;1.26.20;2;10;123;Bedrock level;Survival;1;19132;19133;'),
  ).toEqual({
    motd: 'Dedicated; Server',
    subMotd: 'Bedrock level',
    protocol: 975,
    version: '1.26.20',
    online: 2,
    max: 10,
    serverId: '123',
    gamemode: 'Survival',
  })
})

test('a ping is asked again until it is answered, and strangers’ answers count for nothing', async () => {
  const server = createSocket('udp4').bind(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  let asked = 0
  const text = 'MCPE;A;975;1.26.20;2;10;123;B;Survival;1;1;1;'
  server.on('message', (message, from) => {
    asked += 1
    const time = readPing(message)!
    const answer = (pong: Parameters<typeof writePong>[0]) => server.send(writePong(pong), from.port, from.address)
    answer({ time: Buffer.alloc(8), guid: 1n, text })
    if (asked > 1) answer({ time, guid: 2n, text })
  })
  expect(await pingBedrockServer({ host: '127.0.0.1', port })).toMatchObject({ guid: 2n, online: 2, motd: 'A' })
  expect(asked).toBe(2)
  server.close()
  await expect(pingBedrockServer({ host: '127.0.0.1', port, timeoutMs: 50 })).rejects.toThrow(/no answer|REFUSED/)
})
