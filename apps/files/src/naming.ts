/** A name beside one that is taken. */
import { bytesOfName, nameBytes, nameOfBytes } from '@wakestone/protocol/file-values'
import { FileError } from './errors.ts'

const MOST_TRIES = 10_000
/** What follows it is the name's end: `world (2).tar.gz`. */
const END = /(?<=[^.])(\.tar)?\.[^. ]{1,20}$/

/** `world (2)`, `server (2).properties`; a stem that becomes too long is cut. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  const whole = Buffer.from(bytesOfName(name)!).toString('latin1')
  const end = END.exec(whole)?.[0] ?? ''
  for (let number = 2; number < MOST_TRIES; number++) {
    const mark = ` (${number})${end}`
    const stem = cutText(whole.slice(0, whole.length - end.length), nameBytes - mark.length)
    const candidate = nameOfBytes(Buffer.from(stem + mark, 'latin1'))
    if (!isTaken(candidate)) return candidate
  }
  throw new FileError('resource_already_exists', { path: name })
}

/** The first bytes, without a part of a character at their end. */
function cutText(bytes: string, length: number): string {
  if (bytes.length <= length) return bytes
  let end = length
  while (end > 0 && (bytes.charCodeAt(end) & 0xc0) === 0x80) end--
  return bytes.slice(0, end)
}
