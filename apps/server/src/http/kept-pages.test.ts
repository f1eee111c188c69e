/** What is kept of pages, how long, and how many share one rendering. */
import { setImmediate } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { acceptedEncoding } from './accepted-encoding.ts'
import { nameScripts } from './inline-scripts.ts'
import { createKeptPages } from './kept-pages.ts'

const maxBytes = 1000
const open = () => {
  const state = { isTold: true }
  return Object.assign(createKeptPages({ isTold: () => state.isTold, maxBytes }), { state })
}
const textOf = (key: number, size: number) => `${key} `.repeat(size).slice(0, size)
const page = (text: string) => ({ headers: {}, body: Buffer.from(text) })

test('whatever is asked for in whatever order, the bound holds and nobody is given the page of another key', async () => {
  const step = fc.record({
    key: fc.integer({ min: 0, max: 12 }),
    size: fc.integer({ min: 1, max: 400 }),
    encoding: fc.constantFrom('br' as const, 'gzip' as const, undefined),
    clears: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const kept = open()
      const sizes = new Map<number, number>()
      for (const { key, size, encoding, clears } of steps) {
        if (clears && size % 7 === 0) {
          kept.clear()
          sizes.clear()
          expect(kept.bytes()).toBe(0)
        }
        const found = await kept.find(`key ${key}`, async () => {
          sizes.set(key, size)
          return page(textOf(key, size))
        })
        expect(found!.body.toString()).toBe(textOf(key, sizes.get(key)!))
        if (encoding === 'br') expect(brotliDecompressSync(await found!.encoded('br'))).toEqual(found!.body)
        if (encoding === 'gzip') expect(gunzipSync(await found!.encoded('gzip'))).toEqual(found!.body)
        expect(kept.bytes()).toBeLessThanOrEqual(maxBytes)
        expect(kept.bytes()).toBeGreaterThanOrEqual(0)
      }
    }),
    { numRuns: 60 },
  )
})

test('many who ask at once have it made once; who comes after a change has it made anew', async () => {
  const kept = open()
  let made = 0
  const doors: (() => void)[] = []
  const render = async () => {
    const number = ++made
    await new Promise<void>((done) => doors.push(done))
    return page(`made ${number}`)
  }
  const before = [kept.find('a', render), kept.find('a', render)]
  kept.clear()
  const after = kept.find('a', render)
  await setImmediate()
  for (const pass of doors) pass()
  expect((await Promise.all(before)).map((found) => found?.body.toString())).toEqual(['made 1', 'made 1'])
  expect((await after)?.body.toString()).toBe('made 2')
  // The first was begun before the change: it is not what is kept.
  expect((await kept.find('a', render))?.body.toString()).toBe('made 2')
  expect(made).toBe(2)
})

test('nothing is taken from memory while changes are not told, nor what its sources no longer say', async () => {
  const kept = open()
  let isCurrent = true
  let made = 0
  const render = async () => ({ ...page(`made ${++made}`), isCurrent: async () => isCurrent })
  const ask = async () => (await kept.find('a', render))?.body.toString()
  expect([await ask(), await ask()]).toEqual(['made 1', 'made 1'])
  isCurrent = false
  expect(await ask()).toBeUndefined()
  isCurrent = true
  expect(await ask()).toBe('made 2')
  kept.state.isTold = false
  expect(await ask()).toBeUndefined()
  expect(made).toBe(2)
})

test('equal pages of different keys have different tags', async () => {
  const kept = open()
  const [a, b, again] = await Promise.all(['a', 'b', 'a'].map((key) => kept.find(key, async () => page('same'))))
  expect(a?.etag).not.toBe(b?.etag)
  expect(a?.etag).toBe(again?.etag)
})

test('scripts are named by what they are, but only those that carry the nonce of their page', () => {
  const nonce = 'bm9uY2U='
  const named = nameScripts(
    `<script nonce="${nonce}">ours()</script><script>slipped()</script><script nonce="guess">in()</script>` +
      `<script type="application/ld+json" nonce="${nonce}">{}</script>`,
    nonce,
  )
  expect(named?.sources).toEqual(["'sha256-6Mlk+XjE57h/a6BK8UFDhIqhWicH5NYtbW9Bd0Z0HiI='"])
  expect(named?.html).toBe(
    '<script>ours()</script><script>slipped()</script><script nonce="guess">in()</script>' +
      '<script type="application/ld+json">{}</script>',
  )
  expect(nameScripts(`<script nonce="${nonce}">use('${nonce}')</script>`, nonce)).toBeUndefined()
})

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.1, gzip;q=0.9', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *;q=0.5', 'gzip'],
  ['gzip;q=0', undefined],
  ['br;q=nonsense', undefined],
])('for "%s" the encoding is %s', (header, encoding) => expect(acceptedEncoding(header)).toBe(encoding))
