import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readLines } from './read-lines.ts'

let answer: (response: ServerResponse) => void = () => {}
const server = createServer((_, response) => answer(response))
let address = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => server.close())

async function readAll(signal = new AbortController().signal) {
  const lines: unknown[] = []
  const reading = readLines<[string, number]>(address, signal)
  for (;;) {
    const { done, value } = await reading.next()
    if (done) return { lines, truncated: value }
    lines.push(...value)
  }
}

test('lines arrive whole, wherever they are cut on their way', async () => {
  const line = fc.tuple(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.nat())
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 20 }), fc.integer({ min: 1, max: 9 }), async (lines, size) => {
      const bytes = Buffer.from(
        [...lines, { end: true, truncated: lines.length > 10 }].map((one) => `${JSON.stringify(one)}\n`).join(''),
      )
      answer = (response) => {
        for (let at = 0; at < bytes.length; at += size) response.write(bytes.subarray(at, at + size))
        response.end()
      }
      expect(await readAll()).toEqual({ lines, truncated: lines.length > 10 })
    }),
    { numRuns: 30 },
  )
})

test('a list that breaks off is none', async () => {
  answer = (response) => response.end('["a",1]\n')
  await expect(readAll()).rejects.toThrow('broke off')
  answer = (response) => response.end('["a",1]\n{"error":"file_does_not_exist"}\n')
  await expect(readAll()).rejects.toMatchObject({ name: 'ApiError', body: { error: 'file_does_not_exist' } })
})

test('a refusal is told as it came', async () => {
  answer = (response) => {
    response.writeHead(404, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: 'resource_not_found', event_id: 'abc' }))
  }
  await expect(readAll()).rejects.toMatchObject({ status: 404, body: { error: 'resource_not_found', event_id: 'abc' } })
})

test('whoever reads no more ends it', async () => {
  const ended = new Promise<void>((resolve) => {
    answer = (response) => {
      response.on('close', () => resolve())
      response.write('["a",1]\n')
    }
  })
  const reading = readLines(address, new AbortController().signal)
  expect((await reading.next()).value).toEqual([['a', 1]])
  await reading.return(false)
  await ended
})
