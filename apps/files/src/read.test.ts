/** Lists, stats and reads, over a service of ours. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesOfName, nameOfBytes, splitPath } from '@wakestone/protocol/file-values'
import { fileLineSchema, fileStatSchema } from '@wakestone/protocol/files'
import { readRange } from './read.ts'
import { makeToken, pathQuery, serverId, startService } from './test-support/service.ts'

test('a folder is listed with what kind each thing is; our own folders are not there', async () => {
  const { data, ask, lay } = await startService()
  lay({
    'world/level.dat': 'x',
    'server.properties': 'a=b\n',
    '.hidden': '',
    '.wakestone/own': '',
    '.trash/x/y': '',
    '.transfers/a': '',
  })
  symlinkSync('world/level.dat', join(data, 'link'))
  execFileSync('mkfifo', [join(data, 'pipe')])
  chmodSync(join(data, 'server.properties'), 0o640)
  const { lines } = await ask('GET', '/v1/list?path=')
  expect(lines.pop()).toEqual({ end: true, truncated: false })
  for (const line of lines) fileLineSchema.parse(line)
  expect(lines.map(([name, type, size, , mode, target]) => [name, type, size, mode, target]).toSorted()).toEqual([
    ['link', 'link', 15, 0o777, 'world/level.dat'],
    ['pipe', 'other', 0, expect.any(Number), undefined],
    ['server.properties', 'file', 4, 0o640, undefined],
    ['world', 'folder', expect.any(Number), 0o755, undefined],
  ])
  const all = (await ask('GET', '/v1/list?path=&hidden=1')).lines.map((line) => line[0])
  expect(all).toContain('.hidden')
  expect(all).not.toContain('.trash')
  expect((await ask('GET', '/v1/list?path=server.properties')).json).toEqual({ error: 'file_has_other_type' })
  expect((await ask('GET', '/v1/list?path=nowhere')).json).toEqual({ error: 'file_does_not_exist' })
  expect((await ask('GET', '/v1/list?path=.wakestone')).status).toBe(400)
  expect((await ask('GET', '/v1/list?path=.transfers')).json).toEqual({ error: 'file_does_not_exist' })
  expect((await ask('GET', '/v1/list?path=.trash/x')).lines[0][0]).toBe('y')
})

test('names of any bytes are told so that they can be asked for', async () => {
  const { data, ask } = await startService()
  const names = [
    Buffer.from([0xff, 0xfe, 0x41]),
    Buffer.from('a\nb'),
    Buffer.from('%!41'),
    Buffer.from('100%'),
    Buffer.from('zażółć \u202E'),
    Buffer.from('\uFFFD'),
  ]
  for (const name of names) writeFileSync(Buffer.concat([Buffer.from(`${data}/`), name]), name)
  const { lines } = await ask('GET', '/v1/list?path=')
  expect(lines).toHaveLength(names.length + 1)
  const told = lines.slice(0, -1).map(([name]) => name as string)
  expect(told.toSorted()).toEqual(names.map(nameOfBytes).toSorted())
  expect(told).toContain('%!%FF%FEA')
  expect(told).toContain('100%')
  for (const name of names) expect((await ask('GET', `/v1/read?${pathQuery(nameOfBytes(name))}`)).bytes).toEqual(name)
  for (const name of names)
    expect((await ask('GET', `/v1/stat?${pathQuery(nameOfBytes(name))}`)).json.size).toBe(name.length)
})

test('the percent form is one name for one name', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((list) => Buffer.from(list))
  fc.assert(
    fc.property(
      fc.oneof(
        bytes,
        fc.string({ minLength: 1 }).map((text) => Buffer.from(text)),
      ),
      (name) => {
        const told = bytesOfName(nameOfBytes(name))
        expect(Buffer.from(told!)).toEqual(name)
      },
    ),
    {
      examples: [
        [Buffer.from('%!%41')],
        [Buffer.from('%!')],
        [Buffer.from([0x25, 0x21, 0xff])],
        [Buffer.from('\uFEFFa')],
      ],
    },
  )
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('%', '!', '4', 'F', 'a', '/', '.') }), (text) => {
      const raw = bytesOfName(text)
      if (raw !== undefined && text.startsWith('%!')) expect(nameOfBytes(raw as Buffer)).toBe(text)
    }),
  )
})

test('no path has a part that climbs', () => {
  const part = fc.constantFrom(
    'a',
    '..',
    '.',
    '',
    '%!%2E%2E',
    '%!%2F',
    '%!%FF',
    '%!%00',
    '%!..',
    '.wakestone',
    'ü',
    '\0',
    '\ud800',
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const names = splitPath(parts.join('/'))
      if (names === undefined) return
      expect(names.join('/')).toBe(parts.join('/'))
      for (const name of names) {
        const bytes = Buffer.from(bytesOfName(name)!).toString('latin1')
        expect(bytes).toMatch(/^[^/\0]+$/)
        expect(bytes).not.toMatch(/^\.\.?$/)
      }
      expect(names[0]).not.toBe('.wakestone')
    }),
  )
  expect(splitPath(`${'a/'.repeat(3000)}a`)).toBeUndefined()
  expect(splitPath('a'.repeat(256))).toBeUndefined()
  expect(splitPath('a'.repeat(255))).toHaveLength(1)
})

test('links lead on within the volume, and nowhere else', async () => {
  const { folder, data, ask, lay } = await startService()
  writeFileSync(join(folder, 'secret'), 'hush')
  lay({ 'a/b/c.txt': 'within', 'world/x': '1', '.wakestone/key': 'ours', '.revisions/r': 'ours' })
  const links = {
    up: '../secret',
    far: '/etc/passwd',
    folderUp: '..',
    root: '/',
    loop: 'loop',
    ours: '.wakestone/key',
    oursToo: `${data}/.wakestone`,
    revisions: '.revisions',
    'a/back': '../world',
    short: 'a/b',
    absolute: `${data}/a/b`,
    two: 'short/../b/c.txt',
    'a/high': '../../../secret',
    top: '.',
    proc: '/proc/self/root/etc/passwd',
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(data, name))
  const read = async (path: string) => (await ask('GET', `/v1/read?${pathQuery(path)}`)).text
  expect(await read('short/c.txt')).toBe('within')
  expect(await read('absolute/c.txt')).toBe('within')
  expect(await read('two')).toBe('within')
  expect(await read('a/back/x')).toBe('1')
  expect(await read('top/top/a/back/../back/x')).toContain('unknown_file_name')
  for (const path of [
    'up',
    'far',
    'folderUp/secret',
    'root/etc/passwd',
    'loop',
    'ours',
    'oursToo/key',
    'revisions/r',
    'proc',
    'top/ours',
  ])
    expect([path, await read(path)]).toEqual([path, '{"error":"file_does_not_exist"}'])
  const { json } = await ask('GET', '/v1/stat?path=up')
  expect(fileStatSchema.parse(json)).toMatchObject({ type: 'link', target: '../secret', revision: null })
})

test('pipes and devices are never opened', async () => {
  const { data, ask } = await startService()
  execFileSync('mkfifo', [join(data, 'pipe')])
  expect((await ask('GET', '/v1/read?path=pipe')).json).toEqual({ error: 'file_has_other_type' })
  expect((await ask('GET', '/v1/stat?path=pipe')).json).toMatchObject({ type: 'other', revision: null })
  mkdirSync(join(data, 'folder'))
  expect((await ask('GET', '/v1/read?path=folder')).json).toEqual({ error: 'file_has_other_type' })
})

test('ranges, and a revision that changes with every change', async () => {
  const { data, ask, lay } = await startService()
  lay({ 'log.txt': '0123456789' })
  const whole = await ask('GET', '/v1/read?path=log.txt')
  expect([whole.status, whole.text, whole.headers['content-length']]).toEqual([200, '0123456789', '10'])
  const head = await ask('HEAD', '/v1/read?path=log.txt')
  expect([head.status, head.headers['content-length'], head.headers.etag]).toEqual([200, '10', whole.headers.etag])
  const part = await ask('GET', '/v1/read?path=log.txt', { headers: { range: 'bytes=2-4' } })
  expect([part.status, part.text, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10'])
  const end = await ask('GET', '/v1/read?path=log.txt', {
    headers: { range: 'bytes=-3', 'if-range': whole.headers.etag! },
  })
  expect([end.status, end.text]).toEqual([206, '789'])
  const beyond = await ask('GET', '/v1/read?path=log.txt', { headers: { range: 'bytes=10-' } })
  expect([beyond.status, beyond.json]).toEqual([416, { error: 'range_not_satisfiable', fields: { size: 10 } }])
  appendFileSync(join(data, 'log.txt'), 'x')
  const later = await ask('GET', '/v1/read?path=log.txt', {
    headers: { range: 'bytes=0-0', 'if-range': whole.headers.etag! },
  })
  expect([later.status, later.text]).toEqual([200, '0123456789x'])
  const { json } = await ask('GET', '/v1/stat?path=log.txt')
  expect(`"${json.revision}"`).toBe(later.headers.etag)
  expect((await ask('GET', '/v1/read?path=log.txt', { headers: { range: 'bytes=0-0' } })).text).toBe('0')
})

test('any range is a part of the file, or none', () => {
  const text = fc.string({ unit: fc.constantFrom('b', 'bytes', '=', '-', ',', '0', '1', '9', ' ') })
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        fc.tuple(fc.nat(), fc.nat()).map(([a, b]) => `bytes=${a}-${b}`),
      ),
      fc.nat(20),
      (header, size) => {
        try {
          const range = readRange(header, size)
          if (!range) return
          expect(range.start).toBeGreaterThanOrEqual(0)
          expect(range.end).toBeLessThan(size)
          expect(range.start).toBeLessThanOrEqual(range.end)
        } catch (error) {
          expect((error as Error).message).toBe('range_not_satisfiable')
        }
      },
    ),
  )
})

test('a file that shrinks while it is read ends the answer, and one that grows is what it was', async () => {
  const { data, open, lay } = await startService()
  lay({ big: Buffer.alloc(30_000_000, 7) })
  const response = await open('GET', '/v1/read?path=big')
  response.once('data', () => truncateSync(join(data, 'big'), 10))
  let size = 0
  const read = async () => {
    for await (const chunk of response) size += (chunk as Buffer).length
  }
  await expect(read()).rejects.toThrow('aborted')
  expect(size).toBeLessThan(30_000_000)
  writeFileSync(join(data, 'big'), Buffer.alloc(20_000_000))
  const growing = await open('GET', '/v1/read?path=big')
  growing.once('data', () => appendFileSync(join(data, 'big'), 'more'))
  size = 0
  for await (const chunk of growing) size += (chunk as Buffer).length
  expect(size).toBe(20_000_000)
})

test('what is no request is refused, and says so', async () => {
  const { ask, logged } = await startService()
  expect((await ask('GET', '/v1/status')).json).toEqual({ serverId, jobs: 0 })
  expect((await ask('GET', '//')).status).toBe(400)
  expect((await ask('GET', '/v1/list')).json).toEqual({ error: 'invalid_request', fields: { path: 'missing' } })
  expect((await ask('GET', '/v1/nothing')).status).toBe(404)
  const bodies = fc.oneof(
    fc.jsonValue(),
    fc.record({
      kind: fc.constantFrom('copy', 'chmod', 'pack', 'x'),
      paths: fc.jsonValue(),
      from: fc.jsonValue(),
      to: fc.jsonValue(),
      mode: fc.jsonValue(),
    }),
    fc.record({ path: fc.jsonValue(), size: fc.jsonValue(), ids: fc.jsonValue(), overwrite: fc.jsonValue() }),
  )
  const paths = [
    'jobs',
    'uploads',
    'move',
    'rename',
    'copy',
    'folder',
    'permissions',
    'delete',
    'trash/restore',
    'trash/remove',
  ]
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...paths), bodies, async (path, body) => {
      const { status } = await ask('POST', `/v1/${path}`, { body })
      expect(status).not.toBe(500)
    }),
    { numRuns: 300 },
  )
  expect(logged).toEqual([])
})

test('a token is good for what it names', async () => {
  const { ask, lay } = await startService()
  lay({ a: 'a', b: 'b' })
  const status = async (path: string, claims: Parameters<typeof makeToken>[0]) =>
    (await ask('GET', path, { token: makeToken(claims) })).status
  expect(await status('/v1/read?path=a', { purpose: 'read', path: 'a' })).toBe(200)
  expect(await status('/v1/read?path=b', { purpose: 'read', path: 'a' })).toBe(403)
  expect(await status('/v1/read?path=b&path=a', { purpose: 'read', path: 'a' })).toBe(403)
  expect(await status('/v1/list?path=', { purpose: 'read', path: '' })).toBe(403)
  for (const claims of [
    { aud: 'supervisor' },
    { server: serverId.replace('5', '6') },
    { exp: 1 },
    { purpose: 'console' },
    { exp: undefined },
  ])
    expect(await status('/v1/list?path=', claims as Parameters<typeof makeToken>[0])).toBe(401)
  expect((await ask('GET', '/v1/list?path=', { token: 'x' })).status).toBe(401)
})
