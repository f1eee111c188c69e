import fc from 'fast-check'
import { expect, test } from 'vitest'
import { logStreamLineSchema } from '@wakestone/contract/servers/files'
import { logLines } from './log-lines.ts'

async function read(chunks: Buffer[], from = 0) {
  const told = []
  for await (const line of logLines(
    (async function* () {
      yield* chunks
    })(),
    { log: 'logs/latest.log', from, now: () => 5 },
  ))
    told.push(logStreamLineSchema.parse(JSON.parse(line)))
  return told
}

test('each line with where it begins, however it is cut; the last one when it is whole', async () => {
  const text = '[12:00] żółw\r\n\nthird\nnot yet'
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(Buffer.byteLength(text)), { maxLength: 6 }), async (cuts) => {
      const bytes = Buffer.from(text)
      const at = [0, ...cuts.toSorted((a, b) => a - b), bytes.length]
      const told = await read(
        at.slice(1).map((end, index) => bytes.subarray(at[index], end)),
        100,
      )
      expect(told.map(({ msg, bytes: begins }) => [msg, begins])).toEqual([
        ['[12:00] żółw', 100],
        ['', 100 + Buffer.byteLength('[12:00] żółw\r\n')],
        ['third', 100 + Buffer.byteLength('[12:00] żółw\r\n\n')],
      ])
      expect(told[0]).toMatchObject({ time: 5, log: 'logs/latest.log', stream: 'file' })
    }),
  )
})

test('a line without an end is told in pieces', async () => {
  const told = await read([Buffer.alloc(150_000, 'x')])
  expect(told.map(({ msg, bytes }) => [msg.length, bytes])).toEqual([
    [65_536, 0],
    [65_536, 65_536],
  ])
})
