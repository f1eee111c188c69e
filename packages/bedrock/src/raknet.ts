/**
 * RakNet's messages before a connection stands: the ping of the server list, and the handshake that finds out how large
 * a packet may be. Numbers are big-endian.
 */

/** Stands in each of these messages and tells them from the packets of a connection. */
export const MAGIC = Buffer.from('00ffff00fefefefefdfdfdfd12345678', 'hex')

export const messageIds = {
  ping: 0x01,
  pingIfOpen: 0x02,
  openRequest1: 0x05,
  openReply1: 0x06,
  openRequest2: 0x07,
  openReply2: 0x08,
  incompatible: 0x19,
  pong: 0x1c,
} as const

/** Version of RakNet that Bedrock Edition has spoken since 1.19.30. */
export const RAKNET_VERSION = 11

/** Bytes of IP and UDP headers, which RakNet counts in. */
const HEADER_BYTES = 28
const LEAST_MTU = 400
const MOST_MTU = 1492

const hasMagic = (bytes: Buffer, at: number) => bytes.length >= at + 16 && MAGIC.equals(bytes.subarray(at, at + 16))

/** The time that a ping carries, eight bytes which the pong returns; undefined: it is no ping. */
export function readPing(bytes: Buffer): Buffer | undefined {
  if (bytes[0] !== messageIds.ping && bytes[0] !== messageIds.pingIfOpen) return undefined
  return bytes.length >= 33 && hasMagic(bytes, 9) ? bytes.subarray(1, 9) : undefined
}

export function writePing(time: Buffer, guid: bigint): Buffer {
  return Buffer.concat([Buffer.of(messageIds.ping), time, MAGIC, uint64(guid)])
}

export type Pong = { time: Buffer; guid: bigint; text: string }

export function readPong(bytes: Buffer): Pong | undefined {
  if (bytes[0] !== messageIds.pong || !hasMagic(bytes, 17) || bytes.length < 35) return undefined
  const length = bytes.readUInt16BE(33)
  if (bytes.length < 35 + length) return undefined
  return { time: bytes.subarray(1, 9), guid: bytes.readBigUInt64BE(9), text: bytes.toString('utf8', 35, 35 + length) }
}

export function writePong({ time, guid, text }: Pong): Buffer {
  const content = Buffer.from(text)
  return Buffer.concat([Buffer.of(messageIds.pong), time, uint64(guid), MAGIC, uint16(content.length), content])
}

/** First message of somebody who wants to join. The packet is as long as the largest that may come through. */
export function readOpenRequest1(bytes: Buffer): { version: number; mtu: number } | undefined {
  if (bytes[0] !== messageIds.openRequest1 || !hasMagic(bytes, 1) || bytes.length < 18) return undefined
  return { version: bytes[17]!, mtu: clampMtu(bytes.length + HEADER_BYTES) }
}

export function writeOpenReply1({ guid, mtu }: { guid: bigint; mtu: number }): Buffer {
  return Buffer.concat([Buffer.of(messageIds.openReply1), MAGIC, uint64(guid), Buffer.of(0), uint16(mtu)])
}

/** Says which version of RakNet would be understood. */
export function writeIncompatible(guid: bigint): Buffer {
  return Buffer.concat([Buffer.of(messageIds.incompatible, RAKNET_VERSION), MAGIC, uint64(guid)])
}

/** Second message, which names the address that was dialled. */
export function readOpenRequest2(bytes: Buffer): { mtu: number } | undefined {
  if (bytes[0] !== messageIds.openRequest2 || !hasMagic(bytes, 1)) return undefined
  const end = addressEnd(bytes, 17)
  return end === undefined || bytes.length < end + 10 ? undefined : { mtu: clampMtu(bytes.readUInt16BE(end)) }
}

export function writeOpenReply2(options: { guid: bigint; mtu: number; client: RakNetAddress }): Buffer {
  const { guid, mtu, client } = options
  const address = writeAddress(client)
  return Buffer.concat([Buffer.of(messageIds.openReply2), MAGIC, uint64(guid), address, uint16(mtu), Buffer.of(0)])
}

/**
 * The second message with another port in the address that was dialled: servers check that it is theirs.
 * @returns the same bytes if it is another message
 */
export function withDialledPort(bytes: Buffer, port: number): Buffer {
  if (bytes[0] !== messageIds.openRequest2 || !hasMagic(bytes, 1)) return bytes
  const end = addressEnd(bytes, 17)
  if (end === undefined || bytes.length < end) return bytes
  const changed = Buffer.from(bytes)
  changed.writeUInt16BE(port, bytes[17] === 4 ? end - 2 : 20)
  return changed
}

export type RakNetAddress = { address: string; port: number }

/** One of IPv6 is told as nowhere: nothing but a log of the client's reads it. */
export function writeAddress({ address, port }: RakNetAddress): Buffer {
  const parts = address
    .replace(/^::ffff:/, '')
    .split('.')
    .map(Number)
  const isFour = parts.length === 4 && parts.every((part) => part >= 0 && part <= 255)
  return Buffer.concat([
    Buffer.of(4),
    Buffer.from(isFour ? parts.map((part) => ~part & 0xff) : [255, 255, 255, 255]),
    uint16(port),
  ])
}

function addressEnd(bytes: Buffer, at: number): number | undefined {
  if (bytes[at] === 4) return at + 7
  return bytes[at] === 6 ? at + 29 : undefined
}

const clampMtu = (mtu: number) => Math.min(MOST_MTU, Math.max(LEAST_MTU, mtu))

export function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value)
  return bytes
}

export function uint64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt.asUintN(64, value))
  return bytes
}
