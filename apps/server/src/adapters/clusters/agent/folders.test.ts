/** Folders that come back from a machine elsewhere: whoever has broken into it packs what they like. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { create } from 'tar'
import { expect, onTestFinished, test } from 'vitest'
import { holdFolder, packFolder, unpackFolder, upTo } from './folders.ts'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wsf-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a folder arrives as it is, large files and none at all', async () => {
  const [from, to] = [makeFolder(), makeFolder()]
  mkdirSync(join(from, 'data/aa'), { recursive: true })
  const large = Buffer.alloc(5 * 1024 ** 2, 7)
  writeFileSync(join(from, 'data/aa/large'), large)
  writeFileSync(join(from, 'config'), '')
  await unpackFolder(packFolder(from), to)
  expect(readFileSync(join(to, 'data/aa/large')).equals(large)).toBe(true)
  expect(readdirSync(to).sort()).toEqual(['config', 'data'])
  await unpackFolder(packFolder(makeFolder()), makeFolder())
  // As restic leaves it: its user's alone. A box that is shown it has another one.
  chmodSync(join(from, 'data'), 0o700)
  chmodSync(join(from, 'config'), 0o400)
  const shown = makeFolder()
  await unpackFolder(packFolder(from), shown, { forAll: true })
  expect(['data', 'config'].map((name) => statSync(join(shown, name)).mode & 0o777)).toEqual([0o755, 0o644])
})

test('nothing in it leads elsewhere, and nothing lands elsewhere', async () => {
  const [home, from, to] = [makeFolder(), makeFolder(), makeFolder()]
  const outside = join(home, 'outside')
  writeFileSync(outside, 'bad')
  mkdirSync(join(from, 'inner'))
  writeFileSync(join(from, 'good'), 'good')
  symlinkSync('/etc', join(from, 'link'))
  // Packed as they are: a link, a path that climbs, an absolute one.
  const packed = create({ cwd: join(from, 'inner'), preservePaths: true, portable: true, sync: true }, [
    '../good',
    '../link',
    outside,
  ])
  const bytes = packed.read() as Buffer
  rmSync(outside)
  await unpackFolder(Readable.from([bytes]), to).catch(() => undefined)
  expect(existsSync(join(to, '..', 'good'))).toBe(false)
  expect(existsSync(join(to, 'link'))).toBe(false)
  expect(existsSync(outside)).toBe(false)
  const mine = makeFolder()
  await unpackFolder(packFolder(from), mine)
  expect(readdirSync(mine).sort()).toEqual(['good', 'inner'])
})

test('too much is broken off', async () => {
  const chunks: Buffer[] = []
  const reading = (async () => {
    for await (const chunk of Readable.from([Buffer.alloc(60), Buffer.alloc(60)]).pipe(upTo(100)))
      chunks.push(chunk as Buffer)
  })()
  await expect(reading).rejects.toThrow('too large')
  expect(Buffer.concat(chunks).length).toBeLessThanOrEqual(60)
})

test('what a kill has left between two renames is put back, and drafts go', async () => {
  const home = makeFolder()
  const folder = join(home, 'kept')
  const id = 'a'.repeat(32)
  mkdirSync(`${folder}.${id}.old`)
  writeFileSync(join(`${folder}.${id}.old`, 'world'), 'there')
  mkdirSync(`${folder}.${'b'.repeat(32)}`)
  const order: string[] = []
  await Promise.all(
    ['one', 'two'].map((name) =>
      holdFolder(folder, async () => {
        order.push(`${name} begins`)
        expect(readFileSync(join(folder, 'world'), 'utf8')).toBe('there')
        await new Promise((done) => setTimeout(done, 20))
        order.push(`${name} ends`)
      }),
    ),
  )
  expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends'])
  expect(readdirSync(home)).toEqual(['kept'])
})
