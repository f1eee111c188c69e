import fc from 'fast-check'
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { unpackLz4Stream } from './lz4.ts'
import { ProtocolError } from './protocol-error.ts'
import { openRegion } from './region-file.ts'
import { type ChunkCompression, parseRegionName, readRegionHead, unpackChunk, writeRegion } from './region.ts'
import { packLz4Stream } from './test-support/lz4-writer.ts'

/** Written by lz4-java 1.8.0 with blocks of 1 KiB: text that repeats, 200 random bytes, 700 times the same one. */
const LZ4_JAVA = Buffer.from(
  'TFo0QmxvY2sgOgAAAAAEAACa1WYM+wJtaW5lY3JhZnQ6c3RvbmUwIBEAHDERABwyEQAcMxEAHDQRABw1EQAcNhEAD3cA////ZVAg' +
    'bWluZUxaNEJsb2NrIDoAAAAABAAA9M9/AfcCY3JhZnQ6c3RvbmU0IG1pbmURABw1EQAcNhEAHDARABwxEQAcMhEAHDMRAA93AP//' +
    '/2lQZWNyYWZMWjRCbG9jayA6AAAAAAQAAB9DlgnzAnQ6c3RvbmUxIG1pbmVjcmFmEQAcMhEAHDMRABw0EQAcNREAHDYRABwwEQAP' +
    'dwD///9tUGZ0OnN0TFo0QmxvY2sgOgAAAAAEAADRYBUL/AZvbmU1IG1pbmVjcmFmdDpzdG9uZTYRABwwEQAcMREAHDIRABwzEQAc' +
    'NBEAD3cA////cVB0b25lMkxaNEJsb2NrIEoAAAAABAAAJ0rQCfwCIG1pbmVjcmFmdDpzdG9uZTMRABw0EQAcNREAHDYRABwwEQAc' +
    'MREAHDIRAA93AP///1XwBYK3Du5/GlA5vvB+wjR/Bm7Qj13HTFo0QmxvY2sgwwAAAHADAABayUkM/6dRJEfjQEMAAmtuVFWUoGVo' +
    'XWTEmAu41FRKhyGpmgGtIZ61nPahXvbxWh2DC7fOCda7wATnF1xkPH3ssLWA7De8lxLdLmquuUuujS+fopxaKEye91IYKc8QebCA' +
    '6ddKHBD8q2pCQ9M2Vt6+TB7XlkjoVuj5ovWMlfDOSznBW/+tXC37i7ggthGcuo/4h5auWwXygKaM7ZO2soyw0bNY5rqrSFVlufSQ' +
    'KNVX15qKDmRR4VxwXBVhYQIA//+kUGFhYWFhTFo0QmxvY2sQAAAAAAAAAAAAAAAA',
  'base64',
)
const LZ4_JAVA_SHA256 = '0d21539ddf16fcb49cc655e51ab1f14cf45b88f8d7eb928b9a68b5516d33a37f'

const folder = mkdtempSync(join(tmpdir(), 'regions-'))
afterAll(() => rmSync(folder, { recursive: true }))

const pack: Record<ChunkCompression, (bytes: Buffer) => Buffer> = {
  gzip: (bytes) => gzipSync(bytes),
  zlib: (bytes) => deflateSync(bytes),
  none: (bytes) => bytes,
  lz4: (bytes) => packLz4Stream(bytes, 1000),
}
const compressions = Object.keys(pack) as ChunkCompression[]
const bytesOf = fc.uint8Array({ minLength: 1, maxLength: 9000 }).map((bytes) => Buffer.from(bytes))
/** Bytes that repeat, so that packing does something. */
const repeating = fc
  .array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 400 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => Buffer.concat(parts.flatMap(([part, times]) => Array<Uint8Array>(times).fill(part))))

function writeFile(bytes: Buffer, name = 'r.-1.2.mca') {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

test('reads what lz4-java wrote', () => {
  const bytes = unpackLz4Stream(LZ4_JAVA, 10_000)
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(LZ4_JAVA_SHA256)
  expect(() => unpackLz4Stream(LZ4_JAVA, bytes.length - 1)).toThrow('too large')
})

test('chunks come back out of a region, whatever packs them', () => {
  const chunk = fc.record({
    index: fc.integer({ min: 0, max: 1023 }),
    timestamp: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    compression: fc.constantFrom(...compressions),
    bytes: fc.oneof(bytesOf, repeating),
  })
  fc.assert(
    fc.property(fc.uniqueArray(chunk, { maxLength: 8, selector: ({ index }) => index }), (chunks) => {
      const records = chunks.map(({ index, timestamp, compression, bytes }) => {
        const data = pack[compression](bytes)
        return { index, timestamp, record: { compression, external: false, data } }
      })
      using region = openRegion(writeFile(writeRegion(records)), { x: -1, z: 2 })
      expect(region.damaged).toEqual([])
      const found = region.chunks.map((place) => ({
        index: place.index,
        timestamp: place.timestamp,
        bytes: Buffer.from(region.readChunk(place)),
      }))
      const wanted = chunks.map(({ index, timestamp, bytes }) => ({ index, timestamp, bytes }))
      expect(found).toEqual(wanted.toSorted((left, right) => left.index - right.index))
    }),
    { numRuns: 60 },
  )
})

test('a chunk too long for its region stands beside it', () => {
  const bytes = Buffer.alloc(2_000_000, 'chunk ')
  for (const compression of compressions) {
    // Chunk 5, 1 of region -1, 2.
    writeFile(pack[compression](bytes), 'c.-27.65.mcc')
    const record = { compression, external: true, data: Buffer.alloc(0) }
    using region = openRegion(writeFile(writeRegion([{ index: 37, timestamp: 1, record }])), { x: -1, z: 2 })
    expect(region.readChunk(region.chunks[0]!).equals(bytes), compression).toBe(true)
  }
  expect(() =>
    writeRegion([{ index: 0, timestamp: 0, record: { compression: 'none', external: false, data: bytes } }]),
  ).toThrow(RangeError)
})

test('damage stays with its chunk', () => {
  const record = (text: string) => ({ compression: 'zlib' as const, external: false, data: deflateSync(text) })
  const bytes = writeRegion(
    ['a', 'b', 'c', 'd', 'e', 'f'].map((text, index) => ({ index, timestamp: 9, record: record(text) })),
  )
  const place = (index: number, sector: number, sectors: number) =>
    bytes.writeUInt32BE(sector * 256 + sectors, index * 4)
  place(1, 0, 1) // in the head
  place(2, 2, 1) // where the first one lies
  place(3, 900, 3) // beyond the end
  bytes[6 * 4096 + 9]! ^= 0xff // within its data
  bytes.writeInt32BE(2 ** 30, 7 * 4096) // longer than it can be
  place(7, 0xffffff, 255)
  // A kill in the midst of writing leaves the last sector short.
  const whole = bytes.subarray(0, 7 * 4096 + 30)
  using region = openRegion(writeFile(whole), { x: -1, z: 2 })
  expect(region.damaged).toEqual([1, 2, 3, 7])
  expect(region.chunks.map(({ index }) => index)).toEqual([0, 4, 5])
  expect(region.readChunk(region.chunks[0]!).toString()).toBe('a')
  for (const chunk of region.chunks.slice(1)) expect(() => region.readChunk(chunk)).toThrow(ProtocolError)
})

test('files that are no regions are refused, and none is waited for', () => {
  for (const length of [0, 1, 4096, 8191]) {
    using region = openRegion(writeFile(Buffer.alloc(length, 1)), { x: -1, z: 2 })
    expect(region.chunks).toEqual([])
  }
  const path = join(folder, 'r.0.0.mca')
  execFileSync('mkfifo', [path])
  expect(() => openRegion(path, { x: 0, z: 0 })).toThrow(ProtocolError)
  rmSync(path)
  symlinkSync('/etc/hostname', path)
  expect(() => openRegion(path, { x: 0, z: 0 })).toThrow('ELOOP')
  rmSync(path)
})

test('names of regions', () => {
  expect(parseRegionName('r.-12.3.mca')).toEqual({ x: -12, z: 3 })
  for (const name of [
    'r.0.0.mcr',
    'r.0.mca',
    'r.1e3.0.mca',
    'c.0.0.mcc',
    'r.0.0.mca.bak',
    'r.123456789.0.mca',
    '../r.0.0.mca',
  ])
    expect(parseRegionName(name), name).toBeNull()
})

test('bombs are not unpacked', () => {
  const bomb = Buffer.alloc(3_000_000)
  for (const compression of compressions)
    expect(() => unpackChunk(compression, pack[compression](bomb), 2_999_999), compression).toThrow('too large')
  // A head may promise anything.
  const promise = packLz4Stream(Buffer.from('abc'), 1000)
  promise.writeInt32LE(2 ** 30, 13)
  expect(() => unpackChunk('lz4', promise)).toThrow(ProtocolError)
})

test('whatever the bytes, there are chunks or a clear error', () => {
  const change = (bytes: Buffer, changes: [number, number][]) => {
    for (const [at, value] of changes) bytes[at % bytes.length] = value
    return bytes
  }
  const anyChanges = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 6 })
  fc.assert(
    fc.property(
      repeating,
      fc.constantFrom(...compressions),
      anyChanges,
      fc.nat(),
      (bytes, compression, changes, end) => {
        const packed = change(pack[compression](bytes), changes)
        try {
          expect(
            unpackChunk(compression, packed.subarray(0, end % (packed.length + 1)), 100_000).length,
          ).toBeLessThanOrEqual(100_000)
        } catch (error) {
          if (!(error instanceof ProtocolError)) throw error
        }
      },
    ),
    { numRuns: 500 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8192, maxLength: 8192 }), fc.nat({ max: 10_000_000 }), (head, size) => {
      const { chunks, damaged } = readRegionHead(Buffer.from(head), size)
      for (const { offset, room } of chunks) expect(offset >= 8192 && offset + room <= size && room >= 5).toBe(true)
      const indexes = [...chunks.map(({ index }) => index), ...damaged]
      expect(new Set(indexes).size).toBe(indexes.length)
    }),
    { numRuns: 100 },
  )
})
