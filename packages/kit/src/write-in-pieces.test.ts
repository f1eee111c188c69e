import { randomBytes } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeInPieces } from './write-in-pieces.ts'

let folder: string
let path: string
let fd: number
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ws-test-pieces-'))
  path = join(folder, 'file')
  writeFileSync(path, 'begun, ')
  fd = openSync(path, 'r+')
})
afterEach(() => {
  closeSync(fd)
  rmSync(folder, { recursive: true })
})

const content = randomBytes(3_500_000)

/** The content in chunks of these sizes, in turn; breaks off after so many bytes. */
async function* chunked(sizes: readonly number[], breaksAt = Infinity): AsyncGenerator<Buffer> {
  let at = 0
  for (let turn = 0; at < content.length; turn += 1) {
    const chunk = content.subarray(at, at + sizes[turn % sizes.length]!)
    if (at + chunk.length > breaksAt) throw new Error('broken off')
    yield chunk
    at += chunk.length
  }
}

test.each([[[65_536]], [[1, 70_000, 1_048_576]], [[4_000_000]], [[1_048_575, 1, 2]]])(
  'chunks of %j are written where they belong, and seen in order',
  async (sizes) => {
    const seen: Uint8Array[] = []
    let written = 0
    await writeInPieces(chunked(sizes), {
      fd,
      offset: 7,
      onChunk: (chunk) => seen.push(chunk),
      onWritten: (to) => (written = to),
    })
    expect(readFileSync(path).equals(Buffer.concat([Buffer.from('begun, '), content]))).toBe(true)
    expect(Buffer.concat(seen).equals(content)).toBe(true)
    expect(written).toBe(7 + content.length)
  },
)

test('what came before a stream broke off is kept', async () => {
  await expect(writeInPieces(chunked([100_000], 2_345_678), { fd, offset: 7 })).rejects.toThrow('broken off')
  expect(readFileSync(path).equals(Buffer.concat([Buffer.from('begun, '), content.subarray(0, 2_300_000)]))).toBe(true)
})

test('what the disk says is told', async () => {
  const full = openSync('/dev/full', 'w')
  try {
    await expect(writeInPieces(chunked([100_000]), { fd: full, offset: 0 })).rejects.toThrow('ENOSPC')
  } finally {
    closeSync(full)
  }
})
