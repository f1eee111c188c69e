/**
 * Refuses what would write more than a volume may hold, in mid-transfer, where the file system does not. Packets of SFTP
 * version 3 (draft-ietf-secsh-filexfer-02): a length, a type, and for requests a number.
 */
import { Transform } from 'node:stream'
import type { Space } from './space.ts'

const WRITE = 6
const EXTENDED = 200
const STATUS = 101
const FAILURE = 4
/** Of what has to be seen of a request: handles and names of extensions are short. */
const HEAD_BYTES = 512
/** Longer ones are refused by the program, too. */
const MOST_BYTES = 256 * 1024

/** Asked before each write. */
export type Room = { take(bytes: number): boolean }

const REFRESH_MS = 3_000

/** What the volume has room for; what is written counts at once, what is overwritten only until it is measured again. */
export async function openRoom(space: Pick<Space, 'stats' | 'add' | 'require'>): Promise<Room> {
  const look = async () => {
    const { bavail, bsize } = await space.stats()
    return bavail * bsize
  }
  let room = await look()
  let lookedAt = -Infinity
  /** Not while it is asked already, and not all the time. */
  const lookAgain = (before: () => Promise<unknown>) => {
    if (performance.now() - lookedAt < REFRESH_MS) return
    lookedAt = performance.now()
    void before()
      .catch(() => {}) // there is no room: it is still looked at
      .then(look)
      .then(
        (now) => (room = now),
        () => {}, // asked again soon
      )
  }
  return {
    take(bytes) {
      if (bytes > room) {
        // What was deleted meanwhile counts, and the trash makes room: for whoever tries again.
        lookAgain(() => space.require(bytes))
        return false
      }
      lookAgain(async () => {})
      room -= bytes
      space.add(bytes)
      return true
    },
  }
}

export function limitWrites(room: Room): { requests: Transform; answers: Transform } {
  const refusals: Buffer[] = []
  const answers = createFilter({
    look: () => true,
    between: () => refusals.splice(0),
  })
  const requests = createFilter({
    look(head) {
      const bytes = bytesOf(head)
      if (bytes === 0 || room.take(bytes)) return true
      refusals.push(refusal(head.subarray(5, 9)))
      answers.flushBetween()
      return false
    },
    between: () => [],
  })
  return { requests: requests.stream, answers: answers.stream }
}

/** How many bytes a request writes at most; what copies within the program cannot be counted. */
function bytesOf(head: Buffer): number {
  const type = head[4]
  if (type === WRITE && head.length >= 13) {
    const at = 13 + head.readUInt32BE(9) + 8
    return head.length >= at + 4 ? head.readUInt32BE(at) : Infinity
  }
  if (type === EXTENDED && head.length >= 13) {
    const name = head.subarray(13, 13 + head.readUInt32BE(9)).toString('latin1')
    return name === 'copy-data' ? Infinity : 0
  }
  return 0
}

function refusal(id: Buffer): Buffer {
  const message = Buffer.from('The disk is full')
  const packet = Buffer.alloc(4 + 1 + 4 + 4 + 4 + message.length + 4)
  packet.writeUInt32BE(packet.length - 4, 0)
  packet[4] = STATUS
  id.copy(packet, 5)
  packet.writeUInt32BE(FAILURE, 9)
  packet.writeUInt32BE(message.length, 13)
  message.copy(packet, 17)
  return packet
}

/** Passes packets on for which `look` says so, and puts others between them. */
function createFilter({ look, between }: { look: (head: Buffer) => boolean; between: () => Buffer[] }) {
  /** Of a packet whose head has not come whole. */
  let head: Buffer = Buffer.alloc(0)
  /** Bytes of the present packet that are still to come. */
  let left = 0
  let passes = true

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
    for (let rest = chunk; rest.length > 0;) {
      if (left === 0) {
        if (head.length === 0) flush()
        head = head.length === 0 ? rest : Buffer.concat([head, rest])
        if (head.length < 4) return
        const whole = head.readUInt32BE(0) + 4
        if (whole < 5 || whole > MOST_BYTES) throw new Error('no packet of SFTP')
        if (head.length < Math.min(whole, HEAD_BYTES)) return
        rest = head
        head = Buffer.alloc(0)
        left = whole
        passes = look(rest.subarray(0, Math.min(whole, HEAD_BYTES)))
      }
      const part = rest.subarray(0, left)
      left -= part.length
      rest = rest.subarray(part.length)
      if (passes) stream.push(part)
    }
  }
  function flush() {
    for (const packet of between()) stream.push(packet)
  }
  return {
    stream,
    /** At once where no packet is under way; else after it. */
    flushBetween: () => void (left === 0 && head.length === 0 && flush()),
  }
}
