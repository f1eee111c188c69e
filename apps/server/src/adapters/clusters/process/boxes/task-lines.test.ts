import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLines } from './task-lines.ts'

async function linesOf(chunks: (string | Buffer)[]): Promise<string[]> {
  const out = new PassThrough()
  const err = new PassThrough()
  const { lines } = readLines({ out, err })
  for (const chunk of chunks) out.write(chunk)
  out.end()
  err.end()
  const texts: string[] = []
  for await (const { text } of lines) texts.push(text)
  return texts
}

test('lines are the same however the bytes arrive', async () => {
  const cut = fc.tuple(fc.array(fc.string({ unit: 'binary' })), fc.array(fc.integer({ min: 1, max: 9 })))
  await fc.assert(
    fc.asyncProperty(cut, async ([texts, sizes]) => {
      const bytes = Buffer.from(texts.map((text) => `${text.replaceAll('\n', ' ')}\n`).join(''))
      const chunks: Buffer[] = []
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] ?? bytes.length
        chunks.push(bytes.subarray(at, (at += size)))
      }
      expect(await linesOf(chunks)).toEqual(bytes.toString().split('\n').slice(0, -1))
    }),
    { numRuns: 50 },
  )
})

test('what ends without a line’s end is told too; long lines are cut', async () => {
  expect(await linesOf(['one\n', `${'x'.repeat(200_000)}\nla`, 'st'])).toEqual(['one', 'x'.repeat(65_536), 'last'])
})

test('of too much the oldest is dropped', async () => {
  const many = Array.from({ length: 20_000 }, (_, index) => String(index))
  const kept = await linesOf([`${many.join('\n')}\n`])
  expect(kept).toEqual(many.slice(-5000))
  const wide = Array.from({ length: 400 }, (_, index) => String(index).padEnd(60_000, '.'))
  const kept2 = await linesOf([`${wide.join('\n')}\n`])
  expect(kept2.at(-1)).toBe(wide.at(-1))
  expect(kept2.length).toBeLessThan(150)
})
