/** Archives as authors send them, as attackers would, and as chance breaks them. */
import { mkdtempSync, openSync, closeSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { create } from 'tar'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runsOf } from '../../../tests/support/long.ts'
import { inspectionSchema } from '@wakestone/protocol/inspection'
import { readClassNames } from './class-file.ts'
import { inspectZip } from './inspect-zip.ts'
import { isBadName } from './names.ts'
import { inspectTar } from './tar.ts'
import { buildZip } from './test-support/build-zip.ts'

const limits = { entries: 100, expansion: 200 }
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ws-inspect-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function look(bytes: Uint8Array) {
  const path = join(folder, 'archive')
  writeFileSync(path, bytes)
  const file = openSync(path, 'r')
  try {
    return inspectionSchema.parse(inspectZip(file, limits)) as ReturnType<typeof inspectZip>
  } finally {
    closeSync(file)
  }
}
const rulesOf = (bytes: Uint8Array) => look(bytes).findings.map(({ rule }) => rule)

test('a plain archive is read whole, and its marker says what it is', () => {
  const found = look(
    buildZip([
      { name: 'plugin.yml', content: 'name: Lanterns\nversion: "2.1"\n' },
      { name: 'a/b.txt', content: 'x' },
    ]),
  )
  expect(found).toMatchObject({
    entries: 2,
    markers: ['plugin.yml'],
    stated: { name: 'Lanterns', version: '2.1' },
    findings: [],
  })
})

test.each([
  ['leads out', { name: '../x', content: '' }, 'entry_path'],
  ['is absolute', { name: '/etc/passwd', content: '' }, 'entry_path'],
  ['has backslashes', { name: 'a\\..\\b', content: '' }, 'entry_path'],
  ['is a device', { name: 'a/NUL.txt', content: '' }, 'entry_path'],
  ['is a link', { name: 'link', content: '/etc/passwd', mode: 0o120777 }, 'entry_link'],
  ['is encrypted', { name: 'a', content: 'x', flags: 1 }, 'archive_encrypted'],
  ['is called otherwise in its own header', { name: 'a.txt', localName: 'b.txt', content: 'x' }, 'entry_differs'],
  ['says another size in its own header', { name: 'a.txt', content: 'x', localSize: 7 }, 'entry_differs'],
  ['holds a key', { name: 'k', content: '-----BEGIN RSA PRIVATE KEY-----' }, 'secret_packed'],
] as const)('an entry that %s is found', (_, entry, rule) => {
  expect(rulesOf(buildZip([entry]))).toContain(rule)
})

test('names that are one on some systems, too many entries, bytes that belong to nothing', () => {
  expect(
    rulesOf(
      buildZip([
        { name: 'A', content: '' },
        { name: 'a', content: '' },
      ]),
    ),
  ).toContain('entry_twice')
  expect(
    rulesOf(
      buildZip([
        { name: 'a', content: '' },
        { name: 'a/b', content: '' },
      ]),
    ),
  ).toContain('entry_twice')
  const many = Array.from({ length: 101 }, (_value, index) => ({ name: `${index}`, content: '' }))
  expect(rulesOf(buildZip(many))).toEqual(['archive_too_many_entries'])
  expect(rulesOf(buildZip([{ name: 'a', content: 'x', before: Buffer.alloc(70_000) }]))).toContain(
    'archive_hides_bytes',
  )
})

test('whatever chance makes of an archive, it is told of and never thrown', () => {
  const whole = buildZip([
    { name: 'plugin.yml', content: 'name: x' },
    { name: 'b/c.class', content: '\xca\xfe\xba\xbe' },
  ])
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
      (changes) => {
        const broken = Buffer.from(whole)
        for (const [at, value] of changes) broken[at] = value
        look(broken)
      },
    ),
    { numRuns: runsOf(300) },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(look(bytes).findings).not.toEqual([])
    }),
  )
})

test('no name passes that leads out, however it is written', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', '..', '.', '', 'b ', 'c.', 'con')), (parts) => {
      const name = parts.join('/')
      const isPlain =
        parts.length > 0 &&
        parts.every((part, index) => part === 'a' || (part === '' && index === parts.length - 1 && index > 0))
      expect(isBadName(name)).toBe(!isPlain)
    }),
  )
})

test('class files tell what they use; others tell nothing', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => void readClassNames(Buffer.from(bytes))))
  expect(readClassNames(Buffer.from('no class at all'))).toBeUndefined()
})

test('tar archives: links are found, and bombs stopped', async () => {
  writeFileSync(join(folder, 'plugin.yml'), 'name: Tarred\nversion: 1\n')
  await create({ gzip: true, cwd: folder, file: join(folder, 'good.tgz') }, ['plugin.yml'])
  expect(await inspectTar(join(folder, 'good.tgz'), limits)).toMatchObject({
    entries: 1,
    markers: ['plugin.yml'],
    findings: [],
  })
  writeFileSync(join(folder, 'zeros.tgz'), gzipSync(Buffer.alloc(20_000_000)))
  expect((await inspectTar(join(folder, 'zeros.tgz'), limits)).findings.map(({ rule }) => rule)).toContain(
    'archive_expands',
  )
  writeFileSync(join(folder, 'cut.tgz'), gzipSync(Buffer.from('nothing of the kind')).subarray(0, 20))
  expect((await inspectTar(join(folder, 'cut.tgz'), limits)).findings).toMatchObject([{ rule: 'archive_damaged' }])
})
