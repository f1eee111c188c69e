/** What passes between a client and `sftp-server`, and what its log tells: of any shape, in pieces of any size. */
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gatherChanges, readStep } from './changes.ts'
import { hideOwn } from './hide-own.ts'

const number = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const text = (value: string) => Buffer.concat([number(Buffer.byteLength(value)), Buffer.from(value)])
const packet = (type: number, body: Buffer) => Buffer.concat([number(body.length + 1), Buffer.from([type]), body])
const attributes = Buffer.concat([number(1 | 2 | 4 | 8), Buffer.alloc(8 + 8 + 4 + 8, 3)])
const names = (list: string[]) =>
  packet(
    104,
    Buffer.concat([
      number(7),
      number(list.length),
      ...list.flatMap((name) => [text(name), text(`-rw ${name}`), attributes]),
    ]),
  )

async function pass(bytes: Buffer, sizes: readonly number[]): Promise<Buffer> {
  const filter = hideOwn()
  const chunks: Buffer[] = []
  filter.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => filter.on('end', resolve).on('error', reject))
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? bytes.length
    filter.write(bytes.subarray(at, (at += size)))
  }
  filter.end()
  await ended
  return Buffer.concat(chunks)
}
const pieces = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 5 })

test('our folders are left out of lists, and everything else passes as it is', async () => {
  const data = fc.uint8Array({ maxLength: 300 }).map((bytes) => packet(103, Buffer.from(bytes)))
  const name = fc.constantFrom('.wakestone', '.trash', 'world', 'a.wakestone', '.wakestone2', 'ż'.repeat(60))
  const list = fc.array(name, { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(data, list), { maxLength: 8 }), pieces, async (packets, sizes) => {
      const hidden = (shown: string) => ['.wakestone', '.trash'].includes(shown)
      const sent = Buffer.concat(packets.map((one) => (Array.isArray(one) ? names(one) : one)))
      const wanted = packets.map((one) => (Array.isArray(one) ? names(one.filter((entry) => !hidden(entry))) : one))
      expect(await pass(sent, sizes)).toEqual(Buffer.concat(wanted))
    }),
  )
})

test('what is no packet ends the session, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 400 }), pieces, async (bytes, sizes) => {
      await pass(Buffer.from(bytes), sizes).catch((error: Error) => expect(error).toBeInstanceOf(Error))
    }),
  )
  const liar = packet(104, Buffer.concat([number(7), number(9), number(0xfffffff0), Buffer.from('.wakestone')]))
  await expect(pass(liar, [])).rejects.toThrow(RangeError)
  await expect(pass(number(0x7fffffff), []).then((rest) => rest.length)).resolves.toBe(0)
})

test.each([
  ['close "/data/a b.txt" bytes read 0 written 12', { kind: 'upload', path: 'a b.txt', bytes: 12 }],
  ['forced close "/data/x" bytes read 5 written 0', { kind: 'download', path: 'x', bytes: 5 }],
  ['close "/data/Za\\305\\274" bytes read 0 written 1', { kind: 'upload', path: 'Zaż', bytes: 1 }],
  ['close "/data/a"b" bytes read 0 written 1', { kind: 'upload', path: 'a"b', bytes: 1 }],
  ['rename old "/data/a" new "/data/b/c"', { kind: 'move', path: 'a', to: 'b/c' }],
  ['posix-rename old "/data/a" new "/data/b"', { kind: 'move', path: 'a', to: 'b' }],
  ['remove name "/data//x/./y"', { kind: 'remove', path: 'x/y' }],
  ['mkdir name "/data/new" mode 0777', { kind: 'folder', path: 'new' }],
  ['set "/data/x" mode 0600', { kind: 'chmod', path: 'x' }],
  ['close "/data/x" bytes read 0 written 0', undefined],
  ['remove name "/etc/passwd"', undefined],
  ['session opened for local user server from [UNKNOWN]', undefined],
])('%s', (line, step) => {
  expect(readStep(line)).toEqual(step)
})

test('what failed is not told; of much a few are named', async () => {
  const log = new PassThrough()
  const changes = gatherChanges(log)
  log.write('remove name "/data/gone"\r\nsent status No such file\r\n')
  for (let index = 0; index < 100; index++) log.write(`remove name "/data/${index}"\r\n`)
  await new Promise((resolve) => setImmediate(resolve))
  const [change] = changes.take()
  expect(change).toMatchObject({ kind: 'remove', count: 100 })
  expect(change?.paths).toHaveLength(20)
  expect(changes.take()).toEqual([])
})

test('no log is too strange', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary' })), async (lines) => {
      const log = new PassThrough()
      const changes = gatherChanges(log)
      for (const line of lines) log.write(`close "/data/${line}" bytes read 1 written 2\nrename old "${line}\n`)
      await new Promise((resolve) => setImmediate(resolve))
      for (const { paths } of changes.take()) expect(paths.every((path) => path.length <= 1024)).toBe(true)
    }),
  )
})
