/** Packets as they are before compression and encryption: VarInt length, VarInt id, fields. Integers are big-endian. */
import { ProtocolError } from './protocol-error.ts'
import { readVarInt, writeVarInt } from './var-int.ts'

/** The longest packet that three bytes of length can announce. */
export const MAX_PACKET_BYTES = 2_097_151

export type Packet = {
  id: number
  /** The fields: a view into the bytes it was read from. */
  data: Buffer
  /** Bytes on the wire, length prefix included. */
  size: number
}

/**
 * Reads the packet at the start of `bytes`.
 * @returns undefined while it is incomplete.
 * @throws ProtocolError when it is empty, or announces more than `maxBytes`, before those bytes are waited for.
 */
export function readPacket(bytes: Buffer, maxBytes = MAX_PACKET_BYTES): Packet | undefined {
  const length = readVarInt(bytes, 0)
  if (!length) return undefined
  if (length.value < 1 || length.value > maxBytes) throw new ProtocolError('packet length out of bounds')
  const size = length.next + length.value
  if (bytes.length < size) return undefined
  const whole = bytes.subarray(0, size)
  const id = readVarInt(whole, length.next)
  if (!id) throw new ProtocolError('packet id cut short')
  return { id: id.value, data: whole.subarray(id.next), size }
}

/**
 * Id of the packet at the start of `bytes` as soon as it is known, long before the packet is complete,
 * so that speakers of other protocols can be turned away at once.
 */
export function peekPacketId(bytes: Buffer): number | undefined {
  const length = readVarInt(bytes, 0)
  return length && readVarInt(bytes, length.next)?.value
}

/** Frames a packet from its fields. */
export function writePacket(id: number, ...fields: Buffer[]): Buffer {
  const body = Buffer.concat([writeVarInt(id), ...fields])
  return Buffer.concat([writeVarInt(body.length), body])
}

/** A string field: VarInt count of bytes, then UTF-8. */
export function writeString(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([writeVarInt(bytes.length), bytes])
}

export function writeUint16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2)
  bytes.writeUInt16BE(value)
  return bytes
}

export type FieldReader = {
  varInt(): number
  /** @param maxChars most UTF-16 units, as the protocol counts. */
  string(maxChars: number): string
  uint16(): number
  bytes(count: number): Buffer
}

/** Reads the fields of a complete packet one after the other; each throws ProtocolError when the packet ends too early. */
export function createFieldReader(data: Buffer): FieldReader {
  let offset = 0

  function bytes(count: number) {
    if (count < 0 || offset + count > data.length) throw new ProtocolError('packet cut short')
    offset += count
    return data.subarray(offset - count, offset)
  }

  function varInt() {
    const read = readVarInt(data, offset)
    if (!read) throw new ProtocolError('packet cut short')
    offset = read.next
    return read.value
  }

  function string(maxChars: number) {
    const count = varInt()
    if (count > maxChars * 3) throw new ProtocolError('string too long')
    const text = bytes(count).toString()
    if (text.length > maxChars) throw new ProtocolError('string too long')
    return text
  }

  return { varInt, string, bytes, uint16: () => bytes(2).readUInt16BE() }
}
