/** A file too large for the editor, or one that grows: read in pieces that begin and end with a line. */

export const pieceBytes = 256 * 1024
const newline = 0x0a

/**
 * What of some bytes is whole lines. `isFirst` and `isLast`: they begin, or end, where the file does. A line longer than
 * the piece is cut between two characters of UTF-8.
 * @returns the part to show: from, to (not within)
 */
export function wholeLines(
  bytes: Uint8Array,
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
): { from: number; to: number } {
  const first = bytes.indexOf(newline)
  const last = bytes.lastIndexOf(newline)
  const from = isFirst ? 0 : first < 0 || first === bytes.length - 1 ? characterAfter(bytes, 0) : first + 1
  const to = isLast ? bytes.length : last < from ? characterBefore(bytes, bytes.length) : last + 1
  return { from, to: Math.max(from, to) }
}

const isWithinCharacter = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

function characterAfter(bytes: Uint8Array, at: number): number {
  let place = at
  while (place < at + 3 && isWithinCharacter(bytes[place])) place += 1
  return place
}

function characterBefore(bytes: Uint8Array, at: number): number {
  // A character has four bytes at most: where the last one begins, and whether it is whole.
  for (let place = at - 1; place >= Math.max(0, at - 4); place -= 1) {
    const byte = bytes[place]!
    if (isWithinCharacter(byte)) continue
    const length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return place + length <= at ? at : place
  }
  return at
}
