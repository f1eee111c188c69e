/**
 * Strings of NBT. Java writes modified UTF-8: a zero takes two bytes, and what is beyond U+FFFF goes as its two halves,
 * three bytes each. Bedrock writes UTF-8.
 */
import type { NbtEdition } from './nbt.ts'
import { ProtocolError } from './protocol-error.ts'

const MAX_BYTES = 0xffff
/** Up to this length a loop is faster than a call into the runtime. */
const SHORT = 24

/** Takes UTF-8 of four bytes for Java too, since tools other than the game write it. @throws ProtocolError */
export function decodeNbtString(bytes: Uint8Array, start: number, length: number, edition: NbtEdition): string {
  const end = start + length
  let plain = true
  for (let index = start; index < end && plain; index++) plain = bytes[index]! < 0x80
  if (plain && length <= SHORT) {
    let text = ''
    for (let index = start; index < end; index++) text += String.fromCharCode(bytes[index]!)
    return text
  }
  const part = Buffer.from(bytes.buffer, bytes.byteOffset + start, length)
  if (plain) return part.toString('latin1')
  return edition === 'bedrock' ? part.toString() : decodeModified(part)
}

function decodeModified(bytes: Buffer): string {
  const units: number[] = []
  let index = 0
  const next = () => {
    const byte = bytes[index++]
    if (byte === undefined || (byte & 0xc0) !== 0x80) throw new ProtocolError('NBT: a string is not UTF-8')
    return byte & 0x3f
  }
  while (index < bytes.length) {
    const first = bytes[index++]!
    if (first < 0x80) units.push(first)
    else if (first >> 5 === 0b110) units.push(((first & 0x1f) << 6) | next())
    else if (first >> 4 === 0b1110) units.push(((first & 0x0f) << 12) | (next() << 6) | next())
    else if (first >> 3 === 0b11110) {
      const point = ((first & 0x07) << 18) | (next() << 12) | (next() << 6) | next()
      if (point < 0x10000 || point > 0x10ffff) throw new ProtocolError('NBT: a string is not UTF-8')
      units.push(0xd7c0 + (point >> 10), 0xdc00 | (point & 0x3ff))
    } else throw new ProtocolError('NBT: a string is not UTF-8')
  }
  let text = ''
  for (let from = 0; from < units.length; from += 4096) text += String.fromCharCode(...units.slice(from, from + 4096))
  return text
}

/** @throws RangeError for more than 65 535 bytes. */
export function encodeNbtString(text: string, edition: NbtEdition): Buffer {
  const encoded = edition === 'bedrock' ? Buffer.from(text) : encodeModified(text)
  if (encoded.length > MAX_BYTES) throw new RangeError('a string of more than 65 535 bytes')
  return encoded
}

function encodeModified(text: string): Buffer {
  const bytes = Buffer.allocUnsafe(text.length * 3)
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit !== 0 && unit < 0x80) bytes[length++] = unit
    else if (unit < 0x800) {
      bytes[length++] = 0xc0 | (unit >> 6)
      bytes[length++] = 0x80 | (unit & 0x3f)
    } else {
      bytes[length++] = 0xe0 | (unit >> 12)
      bytes[length++] = 0x80 | ((unit >> 6) & 0x3f)
      bytes[length++] = 0x80 | (unit & 0x3f)
    }
  }
  return bytes.subarray(0, length)
}
