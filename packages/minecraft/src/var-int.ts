/** VarInt: a signed 32-bit number in groups of seven bits, least group first, at most five bytes. */
import { ProtocolError } from './protocol-error.ts'

/**
 * Reads the VarInt at `offset`.
 * @returns the value and the offset after it, or undefined when its end has not arrived yet.
 * @throws ProtocolError when it does not end after five bytes.
 */
export function readVarInt(bytes: Buffer, offset: number): { value: number; next: number } | undefined {
  let value = 0
  for (let group = 0; group < 5; group++) {
    const byte = bytes[offset + group]
    if (byte === undefined) return undefined
    value |= (byte & 0x7f) << (group * 7)
    if (byte < 0x80) return { value, next: offset + group + 1 }
  }
  throw new ProtocolError('VarInt longer than five bytes')
}

/** The shortest form of a VarInt. */
export function writeVarInt(value: number): Buffer {
  const bytes: number[] = []
  let rest = value >>> 0
  while (rest > 0x7f) {
    bytes.push((rest & 0x7f) | 0x80)
    rest >>>= 7
  }
  bytes.push(rest)
  return Buffer.from(bytes)
}
