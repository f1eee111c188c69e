/** Uploads in parts, cut off at any moment. */
import { createHash, randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { uploadSchema } from '@wakestone/protocol/files'
import { isLong } from '../../../tests/support/long.ts'
import { prepareProcess } from './test-support/process.ts'
import { type createClient, makeToken, startService } from './test-support/service.ts'

type Client = ReturnType<typeof createClient>
const hash = (bytes: Buffer) => createHash('sha256').update(bytes)

const create = async ({ ask }: Client, body: object) => (await ask('POST', '/v1/uploads', { body })).json
const append = (
  { ask }: Client,
  id: string,
  { offset, bytes, checksum }: { offset: number; bytes: Buffer; checksum?: string },
) =>
  ask('PATCH', `/v1/uploads/${id}`, {
    body: bytes,
    headers: {
      'upload-offset': String(offset),
      ...(checksum !== undefined && { 'upload-checksum': `sha256 ${checksum}` }),
    },
  })

test('a file comes in parts, each checked, and takes its place with the last one', async () => {
  const service = await startService()
  const { data, ask } = service
  const bytes = randomBytes(300_000)
  const asked = {
    path: 'plugins/new/a.jar',
    size: bytes.length,
    mtime: 1_600_000_000_000,
    sha256: hash(bytes).digest('hex'),
  }
  const { id, offset } = uploadSchema.parse(await create(service, asked))
  expect(offset).toBe(0)
  const first = bytes.subarray(0, 100_000)
  const bad = await append(service, id, { offset: 0, bytes: first, checksum: hash(bytes).digest('base64') })
  expect([bad.status, bad.json]).toEqual([460, { error: 'upload_checksum_differs' }])
  const good = await append(service, id, { offset: 0, bytes: first, checksum: hash(first).digest('base64') })
  expect([good.status, good.headers['upload-offset']]).toEqual([204, '100000'])
  const wrong = await append(service, id, { offset: 5, bytes: first })
  expect([wrong.status, wrong.json]).toEqual([409, { error: 'upload_offset_differs', fields: { offset: 100_000 } }])
  expect(existsSync(join(data, 'plugins'))).toBe(false)
  await service.restart()
  expect(await create(service, asked)).toEqual({ id, offset: 100_000, size: 300_000, path: null })
  const head = await ask('HEAD', `/v1/uploads/${id}`)
  expect([head.headers['upload-offset'], head.headers['upload-length']]).toEqual(['100000', '300000'])
  const last = await append(service, id, { offset: 100_000, bytes: bytes.subarray(100_000) })
  expect([last.status, last.headers['upload-offset'], last.headers['upload-path']]).toEqual([
    204,
    '300000',
    'plugins%2Fnew%2Fa.jar',
  ])
  expect(readFileSync(join(data, 'plugins/new/a.jar'))).toEqual(bytes)
  expect(statSync(join(data, 'plugins/new/a.jar')).mtimeMs).toBe(1_600_000_000_000)
  expect(`"${(await ask('GET', '/v1/stat?path=plugins/new/a.jar')).json.revision}"`).toBe(last.headers.etag)
  // Whoever did not hear of it asks again, or begins again.
  expect(await create(service, asked)).toMatchObject({ offset: 300_000, path: 'plugins/new/a.jar' })
  expect(await create(service, { ...asked, mtime: 5 })).toMatchObject({ error: 'resource_already_exists' })
  expect((await ask('HEAD', `/v1/uploads/${id}`)).headers['upload-offset']).toBe('300000')
  // Also of another service, and never for other content of the same size and time.
  await service.restart()
  expect(await create(service, asked)).toMatchObject({ offset: 300_000, path: 'plugins/new/a.jar' })
  expect((await ask('HEAD', `/v1/uploads/${id}`)).headers['upload-offset']).toBe('300000')
  const sha256 = hash(Buffer.from('else')).digest('hex')
  expect(await create(service, { ...asked, sha256 })).toMatchObject({ error: 'resource_already_exists' })
  expect(readdirSync(join(data, '.transfers/uploads'))).toEqual([])
})

test('what is refused: a taken place, a wrong whole, too much, too large, a place out of the volume', async () => {
  const service = await startService({ diskBytes: 1_000_000 })
  const { folder, data, ask, lay } = service
  lay({ 'a.txt': 'a', 'f/x': 'x' })
  expect(await create(service, { path: 'a.txt', size: 1 })).toMatchObject({ error: 'resource_already_exists' })
  expect(await create(service, { path: 'f', size: 1, overwrite: 'replace' })).toMatchObject({
    error: 'file_has_other_type',
  })
  expect(await create(service, { path: 'big', size: 2_000_000 })).toMatchObject({ error: 'disc_quota_exceeding' })
  expect(await create(service, { path: '../x', size: 1 })).toMatchObject({ error: 'unknown_file_name' })
  expect(await create(service, { path: '', size: 1 })).toMatchObject({ error: 'unknown_file_name' })
  expect(await create(service, { path: 'x', size: -1 })).toMatchObject({ error: 'invalid_request' })
  mkdirSync(join(folder, 'outside'))
  symlinkSync('../outside', join(data, 'out'))
  const out = await create(service, { path: 'out/x', size: 1 })
  expect(out).toMatchObject({ error: 'file_does_not_exist' })
  const { id } = await create(service, { path: 'c', size: 3, sha256: '0'.repeat(64) })
  expect((await append(service, id, { offset: 0, bytes: Buffer.from('four') })).json).toEqual({
    error: 'request_too_large',
  })
  expect((await append(service, id, { offset: 0, bytes: Buffer.from('abc') })).json).toEqual({
    error: 'upload_checksum_differs',
  })
  expect(existsSync(join(data, 'c'))).toBe(false)
  expect((await ask('HEAD', `/v1/uploads/${id}`)).status).toBe(404)
  expect(readdirSync(join(folder, 'outside'))).toEqual([])
  // Room that was promised is not promised twice.
  const one = await create(service, { path: 'one', size: 600_000 })
  expect(await create(service, { path: 'two', size: 600_000 })).toMatchObject({ error: 'disc_quota_exceeding' })
  expect((await ask('DELETE', `/v1/uploads/${one.id}`)).status).toBe(204)
  expect(await create(service, { path: 'two', size: 600_000 })).toMatchObject({ offset: 0 })
})

test('where its place was taken meanwhile, nothing is lost: asked for again with another wish it is placed', async () => {
  const service = await startService()
  const { data, lay } = service
  const { id } = await create(service, { path: 'a.txt', size: 3 })
  lay({ 'a.txt': 'other' })
  expect((await append(service, id, { offset: 0, bytes: Buffer.from('abc') })).json).toEqual({
    error: 'resource_already_exists',
    fields: { path: 'a.txt' },
  })
  expect(await create(service, { path: 'a.txt', size: 3, overwrite: 'keep-both' })).toMatchObject({
    id,
    offset: 3,
    path: 'a (2).txt',
  })
  expect(readFileSync(join(data, 'a (2).txt'), 'utf8')).toBe('abc')
  expect(readFileSync(join(data, 'a.txt'), 'utf8')).toBe('other')
  expect(await create(service, { path: 'empty', size: 0 })).toMatchObject({ offset: 0, path: 'empty' })
  expect(readFileSync(join(data, 'empty'), 'utf8')).toBe('')
})

test('a token for one upload is good for that alone', async () => {
  const service = await startService()
  const { ask } = service
  const token = makeToken({ purpose: 'upload', path: 'a', size: 10 })
  const other = await create(service, { path: 'b', size: 3 })
  expect((await ask('POST', '/v1/uploads', { token, body: { path: 'b', size: 3 } })).status).toBe(403)
  expect((await ask('POST', '/v1/uploads', { token, body: { path: 'a', size: 11 } })).status).toBe(403)
  expect((await ask('POST', '/v1/uploads', { token, body: { path: 'a', size: 10 } })).status).toBe(201)
  for (const method of ['HEAD', 'PATCH', 'DELETE'])
    expect((await ask(method, `/v1/uploads/${other.id}`, { token, headers: { 'upload-offset': '0' } })).status).toBe(
      404,
    )
  expect((await ask('GET', '/v1/read?path=a', { token })).status).toBe(403)
})

test('notes that the game has written are looked at', async () => {
  const service = await startService()
  const { data, ask } = service
  const { id } = await create(service, { path: 'a', size: 4 })
  const note = join(data, '.transfers/uploads', id, 'note')
  const json = fc.oneof(
    fc.jsonValue(),
    fc.record({
      path: fc.constantFrom('a', '../../etc/x', '', 7),
      size: fc.constantFrom(4, -1, 1e300),
      offset: fc.constantFrom(0, 2, 99, null),
      durable: fc.constantFrom(0, 99),
      placing: fc.constantFrom(undefined, {}, { ino: '1', to: '../x' }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(json, async (value) => {
      writeFileSync(note, JSON.stringify(value) ?? '')
      await service.restart()
      const { status } = await ask('HEAD', `/v1/uploads/${id}`)
      expect([200, 404]).toContain(status)
    }),
    { numRuns: 15, examples: [[{ path: 'a', size: 4, offset: 99, durable: 99 } as never]] },
  )
})

/** Sends some bytes and breaks off; what the service took of them shows later. */
function sendSome(
  socketPath: string,
  id: string,
  { offset, bytes, announced }: { offset: number; bytes: Buffer; announced: number },
) {
  return new Promise<void>((done) => {
    const request = httpRequest({
      socketPath,
      method: 'PATCH',
      path: `/v1/uploads/${id}`,
      agent: false,
      headers: { authorization: `Bearer ${makeToken()}`, 'upload-offset': offset, 'content-length': announced },
    })
    request.on('error', () => done()).on('close', () => done())
    request.write(bytes, () => setTimeout(() => request.destroy(), Math.random() * 4))
  })
}

test('whatever is cut off, what has come counts and the rest goes on', { timeout: 60_000 }, async () => {
  const service = await startService()
  const { folder, data, ask } = service
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(3_000_000), { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      async (cuts, hasHash) => {
        const bytes = randomBytes(4_000_000)
        const path = hash(bytes).digest('hex').slice(0, 10)
        const { id } = await create(service, {
          path,
          size: bytes.length,
          ...(hasHash && { sha256: hash(bytes).digest('hex') }),
        })
        for (const cut of cuts) {
          const offset = Number((await ask('HEAD', `/v1/uploads/${id}`)).headers['upload-offset'])
          if (offset === bytes.length) break
          const part = bytes.subarray(offset, Math.min(bytes.length - 1, offset + cut))
          await sendSome(join(folder, 'files.sock'), id, { offset, bytes: part, announced: bytes.length - offset })
        }
        const offset = Number((await ask('HEAD', `/v1/uploads/${id}`)).headers['upload-offset'])
        // Whoever still sends is cut off by the one who goes on.
        const last = await append(service, id, { offset, bytes: bytes.subarray(offset) })
        if (last.status === 409) {
          const now = last.json.fields.offset as number
          expect((await append(service, id, { offset: now, bytes: bytes.subarray(now) })).status).toBe(204)
        } else expect(last.status).toBe(204)
        expect(readFileSync(join(data, path)).equals(bytes)).toBe(true)
      },
    ),
    { numRuns: 8 },
  )
})

test.runIf(isLong)(
  'killed at any moment and gone on with, the file is what was sent',
  { timeout: 300_000 },
  async () => {
    const service = prepareProcess()
    const { data, folder } = service
    const kills = 50
    let seed = Number(process.env['SEED'] ?? Math.trunc(Math.random() * 1e9))
    console.log(`seed ${seed}`)
    const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
    const bytes = randomBytes(40_000_000)
    let round = 0
    await service.start()
    for (let kill = 0; kill < kills; round++) {
      const asked = { path: `files/${round}`, size: bytes.length, sha256: hash(bytes).digest('hex') }
      for (;;) {
        const { id, offset, path } = await create(service, asked)
        if (path !== null) break
        const hasChecksum = random() < 0.5
        const part = bytes.subarray(offset, offset + Math.trunc(1 + random() * 30_000_000))
        const sending = append(service, id, {
          offset,
          bytes: part,
          ...(hasChecksum && { checksum: hash(part).digest('base64') }),
        })
        const settled = sending.catch(() => {})
        if (kill < kills && random() < 0.8) {
          kill++
          await wait(random() * 60)
          await service.kill()
          await settled
          await service.start()
          if (existsSync(join(data, asked.path))) break
        } else if ((await sending).headers['upload-path'] !== undefined) break
      }
      expect([round, readFileSync(join(data, asked.path)).equals(bytes)]).toEqual([round, true])
      const { status } = await service.ask('POST', '/v1/uploads', { body: asked })
      expect(status).toBe(400)
    }
    expect(readdirSync(join(folder, 'data')).toSorted()).toEqual(['.revisions', '.transfers', '.trash', 'files'])
    expect(readdirSync(join(data, 'files'))).toHaveLength(round)
  },
)
