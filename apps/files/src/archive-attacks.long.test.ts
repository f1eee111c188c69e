/** Archives that are made to do harm. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makeOverlappingZip, makeTar, makeZip, type TarMember } from './test-support/archives.ts'
import { runJob } from './test-support/jobs.ts'
import { startService, type TestService } from './test-support/service.ts'

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

/** What an archive may hold, and what becomes of it. */
const outside = 'the place outside'
const attacks: [string, (out: string) => Buffer, string][] = [
  ['climbs', () => makeTar([{ path: `../${outside}/x`, data: 'hit' }]), 'invalid_file'],
  ['climbs later', () => makeTar([{ path: `a/../../${outside}/x`, data: 'hit' }]), 'invalid_file'],
  ['absolute', (out) => makeTar([{ path: `${out}/x`, data: 'hit' }]), 'invalid_file'],
  ['zip that climbs', () => makeZip([{ path: `../../${outside}/x`, data: 'hit' }]), 'invalid_file'],
  ['zip absolute', (out) => makeZip([{ path: `${out}/x`, data: 'hit' }]), 'invalid_file'],
  ['zip with backslashes', () => makeZip([{ path: `..\\..\\${outside}\\x`, data: 'hit' }]), 'invalid_file'],
  [
    'through a link',
    (out) =>
      makeTar([
        { path: 'l', type: '2', target: out },
        { path: 'l/x', data: 'hit' },
      ]),
    '',
  ],
  [
    'through a link within',
    () =>
      makeTar([
        { path: 'd', type: '5' },
        { path: 'l', type: '2', target: 'd' },
        { path: 'l/x', data: 'hit' },
      ]),
    'invalid_file',
  ],
  [
    'through a link that climbs',
    () =>
      makeTar([
        { path: 'a/l', type: '2', target: `../../../${outside}` },
        { path: 'a/l/x', data: 'hit' },
      ]),
    '',
  ],
  [
    'zip link',
    (out) =>
      makeZip([
        { path: 'l', data: out, mode: 0o120777 },
        { path: 'l/x', data: 'hit' },
      ]),
    '',
  ],
  [
    'over a link',
    (out) =>
      makeTar([
        { path: 'l', type: '2', target: `${out}/precious` },
        { path: 'l', data: 'hit' },
      ]),
    '',
  ],
  [
    'over a link within',
    () =>
      makeTar([
        { path: 'd', data: 'd' },
        { path: 'l', type: '2', target: 'd' },
        { path: 'l', data: 'hit' },
      ]),
    '',
  ],
  ['hard link out', (out) => makeTar([{ path: 'h', type: '1', target: `${out}/precious` }]), 'invalid_file'],
  [
    'hard link to a link',
    (out) =>
      makeTar([
        { path: 'l', type: '2', target: `${out}/precious` },
        { path: 'h', type: '1', target: 'l' },
        { path: 'h', data: 'hit' },
      ]),
    '',
  ],
  [
    'devices, pipes',
    () =>
      makeTar([
        { path: 'c', type: '3' },
        { path: 'b', type: '4' },
        { path: 'f', type: '6' },
        { path: 'x', data: 'x' },
      ]),
    '',
  ],
  [
    'setuid',
    () =>
      makeTar([
        { path: 's', data: 'x', mode: 0o6777 },
        { path: 'locked', type: '5', mode: 0 },
        { path: 'locked/x', data: 'x' },
      ]),
    '',
  ],
  ['our folders', () => makeTar([{ path: '.trash/x/content', data: 'x' }]), ''],
  ['only a name', () => makeTar([{ path: '.', type: '5' }]), ''],
  ['nothing', () => makeTar([]), 'invalid_file'],
  ['a lie about size', () => makeTar([{ path: 'x', data: 'short', size: 1e9 }]), 'invalid_file'],
  ['no archive', () => Buffer.from('just text, not an archive'), 'invalid_file'],
  ['empty', () => Buffer.alloc(0), 'invalid_file'],
  [
    'ends early',
    () => gzipSync(makeTar([{ path: 'x', data: Buffer.alloc(100_000, 1) }])).subarray(0, 60),
    'invalid_file',
  ],
  [
    'wrong checksum',
    () => makeZip([{ path: 'x', packed: { method: 0, data: Buffer.from('abc'), size: 3, crc: 1 } }]),
    'invalid_file',
  ],
  [
    'a bomb',
    () =>
      makeZip([
        {
          path: 'x',
          packed: { method: 8, data: deflateRawSync(Buffer.alloc(300_000_000)), size: 300_000_000, crc: 0 },
        },
      ]),
    'archive_is_too_large',
  ],
  [
    'too deep',
    () =>
      makeTar([
        { path: `${'d/'.repeat(49)}x`, data: 'x' },
        ...Array.from({ length: 1 }, (): TarMember => ({ path: 'x', data: 'x' })),
      ]),
    '',
  ],
]

test.each(attacks)('%s: nothing outside is touched', { timeout: 30_000 }, async (_name, make, code) => {
  const service = await startService()
  const { folder, data, lay } = service
  const out = join(folder, outside)
  mkdirSync(out)
  writeFileSync(join(out, 'precious'), 'p')
  const before = lstatSync(join(out, 'precious'))
  lay({ 'in/a.bin': make(out) })
  const job = await unpack(service, 'in/a.bin', 'in/out')
  expect([job.state, job.error?.code]).toEqual(code === '' ? ['done', undefined] : ['failed', code])
  // As a world that is brought along it takes the same way; there is none in it.
  const world = { kind: 'world-import', path: 'in/a.bin', to: 'in/world', edition: 'java' }
  expect(await runJob(service, world)).toMatchObject({ state: 'failed', error: { code: code || 'invalid_file' } })
  expect(existsSync(join(data, 'in/world'))).toBe(false)
  expect(readdirSync(out)).toEqual(['precious'])
  expect(readFileSync(join(out, 'precious'), 'utf8')).toBe('p')
  const after = lstatSync(join(out, 'precious'))
  expect([after.mtimeMs, after.nlink, after.mode]).toEqual([before.mtimeMs, before.nlink, before.mode])
  expect(readdirSync(folder).toSorted()).toEqual(['data', 'files.sock', outside].toSorted())
  if (existsSync(join(data, 'in/out'))) {
    for (const path of tree(join(data, 'in/out'))) {
      const stats = lstatSync(join(data, 'in/out', path))
      expect(stats.isFile() || stats.isDirectory() || stats.isSymbolicLink()).toBe(true)
      if (!stats.isSymbolicLink()) expect([path, stats.mode & 0o7000, stats.mode & 0o600]).toEqual([path, 0, 0o600])
      else expect(readlinkSync(join(data, 'in/out', path))).not.toMatch(/^\/|\.\./)
    }
  }
  expect(leftovers(data)).toEqual([])
})

test('limits: entries, room, sparse files, links in the way of what is placed', { timeout: 60_000 }, async () => {
  const service = await startService({ diskBytes: 50_000_000 })
  const { folder, data, ask, lay } = service
  const one = makeTar([{ path: 'x' }]).subarray(0, 512)
  lay({ 'many.tar.gz': gzipSync(Buffer.concat([Buffer.alloc(512 * 200_002, one), Buffer.alloc(1024)]), { level: 1 }) })
  expect(await unpack(service, 'many.tar.gz', 'out', { entries: ['y'] })).toMatchObject({
    error: { code: 'archive_is_too_large', fields: { reason: 'entries' } },
  })
  lay({ 'full.tar': makeTar([{ path: 'a', data: Buffer.alloc(20_000_000, 1) }]) })
  lay({ filler: Buffer.alloc(20_000_000, 1) })
  await service.restart()
  expect(await unpack(service, 'full.tar')).toMatchObject({ error: { code: 'disc_quota_exceeding' } })
  truncateSync(join(data, 'filler'), 0)
  truncateSync(join(data, 'filler'), 1e12)
  execFileSync('tar', ['-cSf', 'sparse.tar', 'filler'], { cwd: data })
  expect(statSync(join(data, 'sparse.tar')).size).toBeLessThan(100_000)
  expect(await unpack(service, 'sparse.tar')).toMatchObject({
    error: { code: 'archive_is_too_large', fields: { reason: 'sparse' } },
  })
  // The place of unpacking is a link that leads out.
  mkdirSync(join(folder, 'outside'))
  symlinkSync('../outside', join(data, 'out'))
  lay({ 'small.zip': makeZip([{ path: 'x', data: 'hit' }]) })
  expect(await unpack(service, 'small.zip', 'out')).toMatchObject({ state: 'failed' })
  expect(await unpack(service, 'small.zip', 'out/deeper')).toMatchObject({ state: 'failed' })
  expect(readdirSync(join(folder, 'outside'))).toEqual([])
  // A link within the target that an entry has the name of.
  mkdirSync(join(data, 'target'))
  symlinkSync('../../outside', join(data, 'target/x'))
  expect(await unpack(service, 'small.zip', 'target', { overwrite: 'replace' })).toMatchObject({ state: 'done' })
  expect(readdirSync(join(folder, 'outside'))).toEqual([])
  expect(readFileSync(join(data, 'target/x'), 'utf8')).toBe('hit')
  lay({ 'text.zip': 'no archive' })
  expect((await ask('GET', '/v1/archive/entries?path=text.zip')).text).toContain('invalid_file')
  expect(leftovers(data)).toEqual([])
})

test('archives within archives stay what they are; one content under many names fills no disk', async () => {
  const service = await startService()
  const { data, lay } = service
  // As 42.zip: sixteen times sixteen of them, and gigabytes in the end. Only what is asked for is unpacked.
  const bomb = makeZip([
    { path: 'zeros', packed: { method: 8, data: deflateRawSync(Buffer.alloc(50_000_000)), size: 50_000_000, crc: 0 } },
  ])
  const layer = makeZip(Array.from({ length: 16 }, (_, index) => ({ path: `lib ${index}.zip`, data: bomb })))
  const nested = makeZip(Array.from({ length: 16 }, (_, index) => ({ path: `book ${index}.zip`, data: layer })))
  lay({ 'in/42.zip': nested })
  expect(await unpack(service, 'in/42.zip', 'out')).toMatchObject({ state: 'done', error: null })
  expect(tree(join(data, 'out'))).toHaveLength(16)
  expect(statSync(join(data, 'out/book 0.zip')).size).toBe(layer.length)

  const zeros = Buffer.alloc(20_000_000)
  const packed = { data: deflateRawSync(zeros), size: zeros.length, crc: crc32(zeros) }
  const names = Array.from({ length: 2_000 }, (_, index) => `file ${index}`)
  const overlapping = makeOverlappingZip(names, packed)
  expect(overlapping.length).toBeLessThan(250_000) // and 40 GB in all
  lay({ 'in/overlapping.zip': overlapping })
  const job = await unpack(service, 'in/overlapping.zip', 'overlapped')
  // `bsdtar` takes one content once, whatever it is called; another reader would come to the limits.
  if (job.state === 'failed') expect(['archive_is_too_large', 'invalid_file']).toContain(job.error?.code)
  else {
    expect(job.state).toBe('done')
    const sizes = tree(join(data, 'overlapped')).map((name) => statSync(join(data, 'overlapped', name)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(2 * zeros.length)
  }
  expect(leftovers(data)).toEqual([])
})
