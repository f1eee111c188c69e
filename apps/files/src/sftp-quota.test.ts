import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limitWrites } from './sftp-quota.ts'

const number = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const request = (type: number, id: number, ...parts: Buffer[]) => {
  const body = Buffer.concat([Buffer.from([type]), number(id), ...parts])
  return Buffer.concat([number(body.length), body])
}
const text = (bytes: Buffer | string) => Buffer.concat([number(Buffer.from(bytes).length), Buffer.from(bytes)])
const write = (id: number, bytes: number) =>
  request(6, id, text('hand'), Buffer.alloc(8), text(Buffer.alloc(bytes, id)))

/** What passes on, and the numbers of requests that were refused, with answers in between. */
async function pass(packets: Buffer[], room: number, sizes: readonly number[], answer: Buffer) {
  const { requests, answers } = limitWrites({ take: (bytes) => bytes <= room && (room -= bytes) >= 0 })
  const passed: Buffer[] = []
  const answered: Buffer[] = []
  requests.on('data', (chunk: Buffer) => passed.push(chunk))
  answers.on('data', (chunk: Buffer) => answered.push(chunk))
  const bytes = Buffer.concat(packets)
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? bytes.length
    requests.write(bytes.subarray(at, (at += size)))
    answers.write(answer.subarray(0, 3)) // a packet that is under way is not broken into
    answers.write(answer.subarray(3))
  }
  answers.end(answer)
  await new Promise((resolve) => answers.on('end', resolve))
  const refused: number[] = []
  const all = Buffer.concat(answered)
  for (let at = 0; at < all.length; at += all.readUInt32BE(at) + 4) {
    const one = all.subarray(at, at + all.readUInt32BE(at) + 4)
    if (one[4] === 101) refused.push(one.readUInt32BE(5))
    else expect(one).toEqual(answer)
  }
  return { passed: Buffer.concat(passed), refused }
}

test('writes beyond the room are refused by their number, all else passes', async () => {
  const packet = fc.record({
    id: fc.integer({ min: 1, max: 99 }),
    bytes: fc.integer({ min: 0, max: 2000 }),
    writes: fc.boolean(),
  })
  const sizes = fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(packet, { maxLength: 8 }),
      fc.integer({ min: 0, max: 6000 }),
      sizes,
      async (wanted, room, cuts) => {
        const packets = wanted.map(({ id, bytes, writes }) =>
          writes ? write(id, bytes) : request(5, id, Buffer.alloc(bytes)),
        )
        let left = room
        const fits = wanted.map(
          ({ bytes, writes }) => !writes || bytes === 0 || (bytes <= left && (left -= bytes) >= 0),
        )
        const { passed, refused } = await pass(packets, room, cuts, request(103, 1, Buffer.alloc(20)))
        expect(passed).toEqual(Buffer.concat(packets.filter((_, index) => fits[index])))
        expect(refused).toEqual(wanted.filter((_, index) => !fits[index]).map(({ id }) => id))
      },
    ),
    { numRuns: 50 },
  )
})

test('copies within the program are refused, other extensions are not', async () => {
  const copy = request(200, 4, text('copy-data'), Buffer.alloc(40))
  const sync = request(200, 5, text('fsync@openssh.com'), text('hand'))
  const { passed, refused } = await pass([copy, sync], 10, [], request(103, 1, Buffer.alloc(2)))
  expect(passed).toEqual(sync)
  expect(refused).toEqual([4])
})

test('what is no packet breaks off', async () => {
  const { requests } = limitWrites({ take: () => true })
  const failed = new Promise<Error>((resolve) => requests.on('error', resolve))
  requests.write(Buffer.from([0xff, 0xff, 0xff, 0xff, 6]))
  expect((await failed).message).toBe('no packet of SFTP')
})
