import { createHash } from 'node:crypto'
import { expect, onTestFinished, test, vi } from 'vitest'
import { markOf, wholeBytes } from './fingerprint.ts'

const secure = (isSecure: boolean) => {
  vi.stubGlobal('isSecureContext', isSecure)
  onTestFinished(() => void vi.unstubAllGlobals())
}
const bytes = (size: number, value = 1) => new Uint8Array(size).fill(value)

test('small files by the checksum of all of it', async () => {
  secure(true)
  const content = bytes(100_000)
  expect(await markOf(new Blob([content]))).toEqual({ sha256: createHash('sha256').update(content).digest('hex') })
})

test('large ones, and all where a page is not secure, by what stands at three places', async () => {
  secure(true)
  const size = wholeBytes + 1
  const one = await markOf(new Blob([bytes(size)]))
  expect(one).toEqual({ fingerprint: expect.stringMatching(/^parts-[0-9a-f]{16}$/) })
  expect(await markOf(new Blob([bytes(size)]))).toEqual(one)
  for (const at of [0, 65_535, size / 2, size - 1]) {
    const other = bytes(size)
    other[Math.floor(at)] = 2
    expect(await markOf(new Blob([other]))).not.toEqual(one)
  }
  secure(false)
  expect(await markOf(new Blob([bytes(10)]))).not.toEqual(await markOf(new Blob([bytes(10, 2)])))
  expect(await markOf(new Blob([]))).toHaveProperty('fingerprint')
})
