/**
 * Leaves our own folders out of what a customer is shown, so that nobody who makes a volume equal to a copy of theirs deletes
 * the trash: packets `SSH_FXP_NAME` of SFTP version 3
 * (draft-ietf-secsh-filexfer-02 §7) are read whole, all others pass by their length alone.
 */
import { Transform } from 'node:stream'
import { ownFolders } from '@wakestone/protocol/file-values'

const NAME = 104
const HIDDEN = ownFolders.map((name) => Buffer.from(name))
/** A hundred names of the longest kind, each twice, with their attributes. */
const MOST_NAME_BYTES = 512 * 1024
const MOST_BYTES = 1024 * 1024

export function hideOwn(): Transform {
  /** Of what has to be seen whole. */
  let begun: Buffer[] = []
  let begunBytes = 0
  /** Bytes of a passing packet that are still to come. */
  let passing = 0

  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        walk(chunk)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })

  function walk(chunk: Buffer) {
    if (passing >= chunk.length) {
      passing -= chunk.length
      stream.push(chunk)
      return
    }
    let rest = chunk
    if (passing > 0) {
      stream.push(rest.subarray(0, passing))
      rest = rest.subarray(passing)
      passing = 0
    }
    if (begunBytes > 0) {
      begun.push(rest)
      begunBytes += rest.length
      if (begunBytes > MOST_NAME_BYTES + rest.length) throw new Error('a packet is too long')
      // Joined only once it is whole: a list arrives in many pieces.
      if (begunBytes < wanted(begun)) return
      rest = Buffer.concat(begun)
      begun = []
      begunBytes = 0
    }
    while (rest.length > 0) {
      const length = rest.length < 5 ? undefined : lengthOf(rest)
      if (length === undefined || (rest[4] === NAME && rest.length < length)) {
        begun = [rest]
        begunBytes = rest.length
        return
      }
      const packet = rest.subarray(0, length)
      stream.push(rest[4] === NAME ? withoutHidden(packet) : packet)
      passing = length - packet.length
      rest = rest.subarray(packet.length)
    }
  }
  return stream
}

/** How many bytes have to be there until more can be said of what has begun. */
function wanted(parts: Buffer[]): number {
  const [first = Buffer.alloc(0)] = parts
  if (first.length >= 5) return first[4] === NAME ? lengthOf(first) : 5
  return 5
}

function lengthOf(packet: Buffer): number {
  const length = packet.readUInt32BE(0) + 4
  if (length < 5 || length > (packet[4] === NAME ? MOST_NAME_BYTES : MOST_BYTES)) throw new Error('no packet of SFTP')
  return length
}

function withoutHidden(packet: Buffer): Buffer {
  if (!HIDDEN.some((name) => packet.includes(name))) return packet
  const kept: Buffer[] = []
  const count = packet.readUInt32BE(9)
  let at = 13
  for (let index = 0; index < count; index++) {
    const start = at
    const nameBytes = packet.readUInt32BE(at)
    const name = packet.subarray(at + 4, at + 4 + nameBytes)
    at += 4 + nameBytes
    at += 4 + packet.readUInt32BE(at)
    at = afterAttributes(packet, at)
    if (!HIDDEN.some((hidden) => name.equals(hidden))) kept.push(packet.subarray(start, at))
  }
  const head = Buffer.from(packet.subarray(0, 13))
  const body = Buffer.concat(kept)
  head.writeUInt32BE(9 + body.length, 0)
  head.writeUInt32BE(kept.length, 9)
  return Buffer.concat([head, body])
}

const [SIZE, OWNER, MODE, TIMES, EXTENDED] = [1, 2, 4, 8, 0x80000000]

function afterAttributes(packet: Buffer, start: number): number {
  const flags = packet.readUInt32BE(start)
  let at = start + 4
  if (flags & SIZE) at += 8
  if (flags & OWNER) at += 8
  if (flags & MODE) at += 4
  if (flags & TIMES) at += 8
  if ((flags & EXTENDED) !== 0) {
    const pairs = packet.readUInt32BE(at)
    at += 4
    for (let half = 0; half < pairs * 2; half++) at += 4 + packet.readUInt32BE(at)
  }
  return at
}
