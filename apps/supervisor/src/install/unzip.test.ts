import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tempFolder } from '../test-support/temp.ts'
import { ArchiveError } from './unpack.ts'
import { unzipArchive } from './unzip.ts'

type Entry = { path: string; content: string; mode?: number; size?: number; method?: number }

function makeZip(entries: Entry[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, content, mode = 0, size, method = 8 } of entries) {
    const [name, body] = [Buffer.from(path), Buffer.from(content)]
    const packed = method === 8 ? deflateRawSync(body) : body
    const common = Buffer.alloc(26)
    common.writeUInt16LE(method, 4)
    common.writeUInt32LE(crc32(body), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(size ?? body.length, 18)
    common.writeUInt16LE(name.length, 22)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((mode << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, packed])
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), common, rest, name]))
    parts.push(local)
    offset += local.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006')
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

function unzip(zip: Buffer, options: { strip?: number; maxBytes?: number; only?: string[] } = {}) {
  const root = tempFolder()
  const [archive, folder] = [join(root, 'a.zip'), join(root, 'out')]
  mkdirSync(folder)
  writeFileSync(archive, zip)
  const done = unzipArchive({ archive, folder, strip: 0, maxBytes: 1e6, ...options })
  return { folder, root, done }
}

test('files and folders come out, programs can be run', async () => {
  const { folder, done } = unzip(
    makeZip([
      { path: 'a/', content: '', method: 0 },
      { path: 'a/empty', content: '', method: 0 },
      { path: 'a/text', content: 'x'.repeat(70_000) },
      { path: 'stored', content: 'as it is', method: 0 },
      { path: 'run', content: '#!/bin/sh\n' },
      { path: 'marked', content: 'y', mode: 0o100_755 },
    ]),
  )
  await done
  expect(readFileSync(join(folder, 'a/text'), 'utf8')).toBe('x'.repeat(70_000))
  expect(readFileSync(join(folder, 'stored'), 'utf8')).toBe('as it is')
  const modes = ['a/empty', 'stored', 'run', 'marked'].map((name) => statSync(join(folder, name)).mode & 0o777)
  expect(modes).toEqual([0o644, 0o644, 0o755, 0o755])
})

test.each<[string, Entry[], RegExp]>([
  ['a path that leaves', [{ path: '../out-of-here', content: 'x' }], /leaves the folder/],
  ['an absolute path', [{ path: '/tmp/out-of-here', content: 'x' }], /leaves the folder/],
  ['a link', [{ path: 'link', content: '/etc/passwd', mode: 0o120_777 }], /neither file nor folder/],
  ['more than it says', [{ path: 'x', content: 'x'.repeat(5000), size: 10 }], /larger than it says/],
  ['too much', [{ path: 'x', content: 'x', size: 2_000_000 }], /too large/],
  ['one path twice', ['x', 'y'].map((content) => ({ path: 'a', content })), /EEXIST/],
  ['nothing', [], /holds nothing/],
  ['an unknown packing', [{ path: 'x', content: 'x', method: 12 }], /unknown way/],
])('an archive with %s is refused', async (_what, entries, message) => {
  const { root, done } = unzip(makeZip(entries))
  await expect(done).rejects.toThrow(message)
  await expect(done).rejects.toBeInstanceOf(ArchiveError)
  expect(existsSync(join(root, 'out-of-here'))).toBe(false)
})

test('one that is damaged anywhere gives a refusal or files, nothing else', async () => {
  const whole = makeZip([
    { path: 'a/text', content: 'hello '.repeat(50) },
    { path: 'b', content: 'x', method: 0 },
  ])
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), async (at, byte, isCut) => {
      const damaged = Buffer.from(isCut ? whole.subarray(0, at) : whole)
      if (!isCut) damaged[at] = byte
      await unzip(damaged).done.catch((error: unknown) => expect(error).toBeInstanceOf(ArchiveError))
    }),
    { numRuns: 150 },
  )
})

test('of a pack its folders come, what the later ones have over the earlier ones, and nothing else', async () => {
  const entries = [
    { path: 'modrinth.index.json', content: '{}' },
    { path: 'overrides/config/a.txt', content: 'both' },
    { path: 'overrides/config/b.txt', content: 'both' },
    { path: 'server-overrides/config/a.txt', content: 'server' },
    { path: 'client-overrides/c.txt', content: 'client' },
    { path: 'overridesx/d.txt', content: 'no' },
  ]
  const { folder, done } = unzip(makeZip(entries), { strip: 1, only: ['overrides', 'server-overrides'] })
  await done
  expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual(['config', 'config/a.txt', 'config/b.txt'])
  expect(readFileSync(join(folder, 'config/a.txt'), 'utf8')).toBe('server')
  const none = unzip(makeZip(entries), { strip: 1, only: ['nothing'] })
  await none.done
  expect(readdirSync(none.folder)).toEqual([])
})

test.each(['overrides/../../x', 'client-overrides/../../x', '/overrides/x', 'overrides\\..\\x'])(
  'a pack with %s is refused whole, also where its folder is not wanted',
  async (path) => {
    const entries = [
      { path: 'overrides/a', content: 'a' },
      { path, content: 'x' },
    ]
    const { root, done } = unzip(makeZip(entries), { strip: 1, only: ['overrides'] })
    await expect(done).rejects.toThrow(ArchiveError)
    expect(readdirSync(root).toSorted()).toEqual(['a.zip', 'out'])
  },
)
