/** RakNet's datagrams of a connection that stands: numbered sets of frames, and what says that they have come. */
import { uint16 } from './raknet.ts'

export type Datagram =
  | { kind: 'frames'; sequence: number; payloads: Buffer[] }
  /** Something that has come, or is missing. */
  | { kind: 'receipt' }

const isReliable = (reliability: number) => reliability >= 2 && reliability !== 5
const isSequenced = (reliability: number) => reliability === 1 || reliability === 4
const isOrdered = (reliability: number) =>
  reliability === 1 || reliability === 3 || reliability === 4 || reliability === 7
const RELIABLE_ORDERED = 3

/**
 * Reads a datagram. Frames that are parts of something larger are left out: nothing that matters before a login is.
 * @returns undefined when it is none, or is cut off
 */
export function readDatagram(bytes: Buffer): Datagram | undefined {
  const head = bytes[0]
  if (head === undefined || (head & 0x80) === 0) return undefined
  if ((head & 0x60) !== 0) return { kind: 'receipt' }
  if (bytes.length < 4) return undefined
  const payloads: Buffer[] = []
  let at = 4
  while (at < bytes.length) {
    if (at + 3 > bytes.length) return undefined
    const flags = bytes[at]!
    const reliability = flags >> 5
    const length = Math.ceil(bytes.readUInt16BE(at + 1) / 8)
    at += 3
    if (isReliable(reliability)) at += 3
    if (isSequenced(reliability)) at += 3
    if (isOrdered(reliability)) at += 4
    const isPart = (flags & 0x10) !== 0
    if (isPart) at += 10
    if (length === 0 || at + length > bytes.length) return undefined
    if (!isPart) payloads.push(bytes.subarray(at, at + length))
    at += length
  }
  return { kind: 'frames', sequence: bytes.readUIntLE(1, 3), payloads }
}

export function writeReceipt(sequence: number): Buffer {
  return Buffer.concat([Buffer.of(0xc0), uint16(1), Buffer.of(1), uint24(sequence)])
}

/** One payload in a datagram of its own, to be taken once and in its order. */
export function writeFrame(payload: Buffer, { sequence, index }: { sequence: number; index: number }): Buffer {
  return Buffer.concat([
    Buffer.of(0x84),
    uint24(sequence),
    Buffer.of(RELIABLE_ORDERED << 5),
    uint16(payload.length * 8),
    uint24(index),
    uint24(index),
    Buffer.of(0),
    payload,
  ])
}

function uint24(value: number): Buffer {
  const bytes = Buffer.alloc(3)
  bytes.writeUIntLE(value & 0xff_ffff, 0, 3)
  return bytes
}
