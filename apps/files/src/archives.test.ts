/** Archives: unpacked, looked into, made. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { archiveLineSchema } from '@wakestone/protocol/files'
import { isLong } from '../../../tests/support/long.ts'
import { readLine } from './archive-entries.ts'
import { createTarReader, type TarEntry } from './tar-stream.ts'
import { makeRar, makeTar, makeZip } from './test-support/archives.ts'
import { runJob } from './test-support/jobs.ts'
import { pathQuery, startService, type TestService } from './test-support/service.ts'

const unpack = (service: TestService, path: string, to = 'out', more: object = {}) =>
  runJob(service, { kind: 'unpack', path, to, ...more })
const tree = (folder: string) =>
  execFileSync('find', ['.', '-mindepth', '1', '-printf', '%P\n'], { cwd: folder })
    .toString()
    .trim()
    .split('\n')
    .filter(Boolean)
    .toSorted()
const leftovers = (data: string) =>
  ['stage', 'doomed', 'jobs', 'placing'].flatMap((name) =>
    existsSync(join(data, '.transfers', name)) ? readdirSync(join(data, '.transfers', name)) : [],
  )

const formats: [ending: string, options: string[]][] = [
  ['zip', ['--format', 'zip']],
  ['tar', ['--format', 'pax']],
  ['tar.gz', ['-z']],
  ['tar.bz2', ['-j']],
  ['tar.bz', ['-j']],
  ['tar.xz', ['-J']],
  ['tar.zst', ['--zstd']],
  ['tar.lz4', ['--lz4']],
  ['tar.lzma', ['--lzma']],
  ['tar.lz', ['--lzip']],
  ['tar.lzo', ['--lzop']],
  ['tar.Z', ['-Z']],
  ['7z', ['--format', '7zip']],
]
const packings: [ending: string, program: string][] = [
  ['bz2', 'bzip2'],
  ['bz', 'bzip2'],
  ['xz', 'xz'],
  ['lzma', 'lzma'],
  ['zst', 'zstd'],
  ['lz4', 'lz4'],
  ['lzo', 'lzop'],
]
/** One program reads them all, so `npm test` tries those that customers come with. */
const usual = ['zip', 'tar.gz', 'xz']
const someOf = <Each extends [ending: string, ...unknown[]]>(all: Each[]) =>
  isLong ? all : all.filter(([ending]) => usual.includes(ending))

test.each(someOf(formats))('%s is looked into and unpacked', async (ending, format) => {
  const service = await startService()
  const { data, ask, lay } = service
  lay({ 'src/world/level.dat': 'level', 'src/zażółć *.txt': 'ż', 'src/run.sh': '#!', 'src/empty': '' })
  mkdirSync(join(data, 'src/folder'))
  execFileSync('chmod', ['4755', join(data, 'src/run.sh')])
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  execFileSync('bsdtar', ['-cf', join(data, `a.${ending}`), ...format, '-C', join(data, 'src'), '.'], { env })
  const { lines } = await ask('GET', `/v1/archive/entries?path=a.${ending}`)
  expect(lines.pop()).toEqual({ end: true, truncated: false })
  const told = lines.map((line) => archiveLineSchema.parse(line).slice(0, 3))
  expect(told).toContainEqual(['world/level.dat', 'file', 5])
  expect(told).toContainEqual(['zażółć *.txt', 'file', 2])
  expect(
    (await ask('GET', `/v1/archive/entry?path=a.${ending}&entry=${encodeURIComponent('./zażółć *.txt')}`)).text ===
      'ż' ||
      (await ask('GET', `/v1/archive/entry?path=a.${ending}&entry=${encodeURIComponent('zażółć *.txt')}`)).text === 'ż',
  ).toBe(true)
  const job = await unpack(service, `a.${ending}`)
  expect(job).toMatchObject({ state: 'done', error: null })
  expect(tree(join(data, 'out'))).toEqual(['empty', 'folder', 'run.sh', 'world', 'world/level.dat', 'zażółć *.txt'])
  expect(readFileSync(join(data, 'out/zażółć *.txt'), 'utf8')).toBe('ż')
  expect(statSync(join(data, 'out/run.sh')).mode & 0o7777).toBe(0o755)
  expect(statSync(join(data, 'out/empty')).mode & 0o7777).toBe(0o644)
  expect(leftovers(data)).toEqual([])
})

test('into what is there: refused, replaced, or beside it', async () => {
  const service = await startService()
  const { data, ask, lay } = service
  const zip = makeZip([
    { path: 'plugins/a.jar', data: 'new' },
    { path: 'plugins/b/c.yml', data: 'c' },
    { path: 'top.txt', data: 'new' },
  ])
  lay({ 'a.zip': zip, 'plugins/a.jar': 'old', 'plugins/mine': 'm', 'top.txt': 'old' })
  expect(await unpack(service, 'a.zip', '')).toMatchObject({
    state: 'failed',
    error: { code: 'resource_already_exists', fields: { path: expect.stringMatching(/top|a\.jar/), count: 2 } },
    request: { kind: 'unpack', path: 'a.zip', to: '' },
  })
  expect(existsSync(join(data, 'plugins/b'))).toBe(false)
  expect(await unpack(service, 'a.zip', '', { overwrite: 'skip' })).toMatchObject({ state: 'done' })
  expect(readFileSync(join(data, 'plugins/a.jar'), 'utf8')).toBe('old')
  expect(readFileSync(join(data, 'top.txt'), 'utf8')).toBe('old')
  expect(readFileSync(join(data, 'plugins/b/c.yml'), 'utf8')).toBe('c')
  expect(leftovers(data)).toEqual([])
  expect(
    await ask('POST', '/v1/jobs', { body: { kind: 'copy', from: ['top.txt'], to: '', overwrite: 'skip' } }),
  ).toMatchObject({ status: 400 })
  expect(await unpack(service, 'a.zip', '', { overwrite: 'keep-both' })).toMatchObject({ state: 'done' })
  expect(readFileSync(join(data, 'top (2).txt'), 'utf8')).toBe('new')
  expect(tree(join(data, 'plugins (2)'))).toEqual(['a.jar', 'b', 'b/c.yml'])
  expect(await unpack(service, 'a.zip', '', { overwrite: 'replace' })).toMatchObject({ state: 'done' })
  expect(readFileSync(join(data, 'plugins/a.jar'), 'utf8')).toBe('new')
  expect(tree(join(data, 'plugins'))).toEqual(['a.jar', 'b', 'b/c.yml', 'mine'])
  symlinkSync('plugins', join(data, 'linked'))
  expect(await unpack(service, 'a.zip', 'linked')).toMatchObject({ state: 'done' })
  expect(readFileSync(join(data, 'plugins/top.txt'), 'utf8')).toBe('new')
  expect(await unpack(service, 'a.zip', 'new/deep', { entries: ['plugins/b', 'top.txt'] })).toMatchObject({
    state: 'done',
  })
  expect(tree(join(data, 'new/deep'))).toEqual(['plugins', 'plugins/b', 'plugins/b/c.yml', 'top.txt'])
})

test('protected ones and volumes are told from damaged ones', async () => {
  const service = await startService()
  const { data, ask, lay } = service
  lay({ 'secret.txt': 'secret' })
  execFileSync('zip', ['-q', '-P', 'password', 'locked.zip', 'secret.txt'], { cwd: data })
  expect(await unpack(service, 'locked.zip')).toMatchObject({ error: { code: 'archive_is_encrypted' } })
  expect((await ask('GET', '/v1/archive/entry?path=locked.zip&entry=secret.txt')).json).toEqual({
    error: 'archive_is_encrypted',
  })
  const rar5 = Buffer.from('526172211a070100' + '00000000' + '05' + '01' + '00' + '01' + '00'.repeat(40), 'hex')
  lay({ 'a.part1.rar': 'x', 'plain.rar': rar5 })
  for (const path of ['a.part1.rar', 'plain.rar'])
    expect((await ask('POST', '/v1/jobs', { body: { kind: 'unpack', path, to: 'out' } })).json).toEqual({
      error: 'invalid_file',
      fields: { reason: 'volumes' },
    })
})

test.runIf(isLong)('in parts, and packed alone', async () => {
  const service = await startService()
  const { data, ask, lay } = service
  const zip = makeZip([{ path: 'a.txt', data: Buffer.alloc(5_000, 'a') }])
  lay({
    'w.zip.001': zip.subarray(0, 2_000),
    'w.zip.002': zip.subarray(2_000, 4_000),
    'w.zip.003': zip.subarray(4_000),
    'latest.log.gz': gzipSync('[12:00] hello\n'),
  })
  expect(await unpack(service, 'w.zip.001')).toMatchObject({ state: 'done' })
  expect(statSync(join(data, 'out/a.txt')).size).toBe(5_000)
  expect((await ask('GET', '/v1/archive/entries?path=w.zip.001')).lines[0].slice(0, 3)).toEqual(['a.txt', 'file', 5000])
  expect(await unpack(service, 'latest.log.gz', 'logs')).toMatchObject({ state: 'done' })
  expect(readFileSync(join(data, 'logs/latest.log'), 'utf8')).toBe('[12:00] hello\n')
  expect((await ask('GET', '/v1/archive/entry?path=latest.log.gz&entry=latest.log')).text).toBe('[12:00] hello\n')
})

test('a rar is looked into and unpacked; what is wrong in it is refused', async () => {
  const service = await startService()
  const { data, ask, lay } = service
  const rar = makeRar([
    { path: 'world/level.dat', data: 'level' },
    { path: 'ż.txt', data: 'ż' },
  ])
  lay({ 'a.rar': rar, 'bad.rar': Buffer.from(rar.toString('latin1').replace('level', 'lever'), 'latin1') })
  const { lines } = await ask('GET', '/v1/archive/entries?path=a.rar')
  expect(lines.map((line) => line.slice?.(0, 3))).toEqual([
    ['ż.txt', 'file', 2],
    ['world/level.dat', 'file', 5],
    undefined,
  ])
  expect((await ask('GET', '/v1/archive/entry?path=a.rar&entry=world/level.dat')).text).toBe('level')
  expect(await unpack(service, 'a.rar')).toMatchObject({ state: 'done', error: null })
  expect(tree(join(data, 'out'))).toEqual(['world', 'world/level.dat', 'ż.txt'])
  expect(readFileSync(join(data, 'out/ż.txt'), 'utf8')).toBe('ż')
  expect(await unpack(service, 'bad.rar', 'bad')).toMatchObject({ error: { code: 'invalid_file' } })
  expect(existsSync(join(data, 'bad'))).toBe(false)
})

test.runIf(isLong).each(someOf(packings))('one file packed alone as %s', async (ending, program) => {
  const service = await startService()
  const { data, ask, lay } = service
  lay({ [`note.txt.${ending}`]: execFileSync(program, ['-c'], { input: 'hello\n' }) })
  expect((await ask('GET', `/v1/archive/entries?path=note.txt.${ending}`)).lines[0].slice(0, 2)).toEqual([
    'note.txt',
    'file',
  ])
  expect((await ask('GET', `/v1/archive/entry?path=note.txt.${ending}&entry=note.txt`)).text).toBe('hello\n')
  expect(await unpack(service, `note.txt.${ending}`)).toMatchObject({ state: 'done' })
  expect(readFileSync(join(data, 'out/note.txt'), 'utf8')).toBe('hello\n')
})

test('archives are made of what there is, without following a link or opening a pipe', async () => {
  const service = await startService()
  const { folder, data, ask, lay } = service
  writeFileSync(join(folder, 'secret'), 'hush')
  lay({
    'world/level.dat': 'level',
    'world/ż.txt': 'ż',
    '-C': 'a name like an option',
    '@x': 'another',
    '.trash/x/y': 'no',
    '.wakestone/key': 'no',
    'b.txt': 'b',
  })
  symlinkSync('../../secret', join(data, 'world/link'))
  execFileSync('mkfifo', [join(data, 'world/pipe')])
  const odd = Buffer.concat([Buffer.from(`${data}/world/`), Buffer.from([0xff])])
  writeFileSync(odd, 'odd')
  for (const format of ['tar.zst', 'zip'] as const) {
    const archive = await ask('GET', `/v1/archive?path=&format=${format}`)
    expect(archive.status).toBe(200)
    expect(archive.bytes.includes('hush')).toBe(false)
    if (format === 'zip') expect(archive.bytes.subarray(-22, -18).toString()).toBe('PK\x05\x06')
    else expect(execFileSync('zstd', ['-t', '-q'], { input: archive.bytes }).toString()).toBe('')
    lay({ [`made/a.${format}`]: archive.bytes })
    const { lines } = await ask('GET', `/v1/archive/entries?path=made/a.${format}`)
    const names = lines.map((line) => line[0]).filter((name) => typeof name === 'string' && !name.startsWith('made'))
    expect(names).toEqual(expect.arrayContaining(['world/level.dat', 'world/ż.txt', '-C', '@x', 'b.txt']))
    expect(names.filter((name) => /trash|wakestone|transfers/.test(name))).toEqual([])
    expect(await unpack(service, `made/a.${format}`, `made/${format}`)).toMatchObject({ state: 'done' })
    expect(readFileSync(join(data, `made/${format}/world/ż.txt`), 'utf8')).toBe('ż')
    expect(readFileSync(join(data, `made/${format}/-C`), 'utf8')).toBe('a name like an option')
    expect(
      readFileSync(Buffer.concat([Buffer.from(`${data}/made/${format}/world/`), Buffer.from([0xff])]), 'utf8'),
    ).toBe('odd')
  }
  expect((await ask('GET', `/v1/archive?${pathQuery('world/level.dat')}&${pathQuery('b.txt')}`)).status).toBe(400)
  expect((await ask('GET', `/v1/archive?${pathQuery('none')}`)).status).toBe(404)
  expect((await ask('GET', `/v1/archive?${pathQuery('.transfers')}`)).status).toBe(404)
  const job = await runJob(service, { kind: 'pack', paths: ['world', 'b.txt'], to: 'p.zip', format: 'zip' })
  expect(job).toMatchObject({ state: 'done', to: 'p.zip' })
  const { lines } = await ask('GET', '/v1/archive/entries?path=p.zip')
  expect(lines.map((line) => line[0])).toEqual(expect.arrayContaining(['world/level.dat', 'b.txt']))
  expect(
    (await ask('POST', '/v1/jobs', { body: { kind: 'pack', paths: ['world'], to: 'p.zip', format: 'zip' } })).json
      .error,
  ).toBe('resource_already_exists')
  expect(leftovers(data)).toEqual([])
})

test('the reader of tar streams gives back what was written, however it is cut, and refuses the rest', () => {
  const members = fc.array(
    fc.record({
      path: fc.stringMatching(/^[a-z/]{1,40}$/),
      data: fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)),
    }),
    { maxLength: 5 },
  )
  const read = (pieces: Buffer[]) => {
    const found: { path: string; data: Buffer[] }[] = []
    const reader = createTarReader({
      entry: ({ path }: TarEntry) => void found.push({ path: path.toString(), data: [] }),
      data: (bytes) => void found.at(-1)!.data.push(Buffer.from(bytes)),
      end() {},
    })
    for (const piece of pieces) reader.push(piece)
    reader.finish()
    return found.map(({ path, data }) => ({ path, data: Buffer.concat(data) }))
  }
  fc.assert(
    fc.property(members, fc.array(fc.nat(5_000), { maxLength: 8 }), (list, cuts) => {
      const bytes = makeTar(list)
      const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length]
      expect(read(at.slice(1).map((end, index) => bytes.subarray(at[index], end)))).toEqual(list)
    }),
  )
  fc.assert(
    fc.property(
      members,
      fc.array(fc.tuple(fc.nat(3_000), fc.nat(255)), { minLength: 1, maxLength: 4 }),
      fc.nat(4_000),
      (list, changes, end) => {
        const bytes = Buffer.from(makeTar(list))
        for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value
        try {
          read([bytes.subarray(0, end)])
        } catch (error) {
          expect((error as Error).message).toBe('invalid_file')
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('lines of a list that are no entries are passed over', () => {
  expect(readLine('./a\\040b type=file size=3 time=1.5')).toEqual(['a b', 'file', 3, 1500])
  expect(readLine('#mtree')).toBeUndefined()
  expect(readLine('/. type=dir')).toBeUndefined()
  fc.assert(fc.property(fc.string(), (line) => void readLine(line)))
})
