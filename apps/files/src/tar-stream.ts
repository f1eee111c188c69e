/**
 * Reads the tar stream that `bsdtar --format=pax` writes of any archive: what decodes is a process of its own, and what it
 * says is taken for what it is, a customer's word. Names stay bytes, as they are in the archive.
 */
import { FileError } from './errors.ts'

export type TarEntry = {
  type: 'file' | 'folder' | 'link' | 'hard link' | 'other'
  path: Buffer
  /** Where a link leads. */
  target: Buffer
  size: number
  mode: number
  /** Seconds since 1970. */
  mtime: number
  /** Only the parts that are not zeros are there, and a list of them. */
  isSparse: boolean
}
export type TarHandler = {
  /** Every byte of a file comes by `data`, then `end`. */
  entry(entry: TarEntry): void
  data(bytes: Buffer): void
  end(): void
}

const BLOCK = 512
const LONGEST_EXTRA = 1024 * 1024
const types: Record<string, TarEntry['type']> = {
  '0': 'file',
  '\0': 'file',
  '7': 'file',
  '5': 'folder',
  '2': 'link',
  '1': 'hard link',
}

const damaged = () => new FileError('invalid_file')

/** @returns a function that takes the next bytes of the stream, and one that says whether it has ended where it should */
export function createTarReader(handler: TarHandler): { push(chunk: Buffer): void; finish(): void } {
  let held: Buffer = Buffer.alloc(0)
  /** Bytes of the content under way, and those that fill its last block. */
  let left = 0
  let padding = 0
  /** Where bytes of a content go: to a file, to a header that describes the next one, or nowhere. */
  let into: 'file' | 'extra' | 'nothing' = 'nothing'
  let extra: Buffer[] = []
  let records = new Map<string, Buffer>()
  let zeros = 0
  let isOver = false

  function push(chunk: Buffer): void {
    if (isOver) return
    let bytes: Buffer = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
    held = Buffer.alloc(0)
    for (;;) {
      if (left > 0) {
        if (bytes.length === 0) return
        const part = bytes.subarray(0, left)
        left -= part.length
        bytes = bytes.subarray(part.length)
        if (into === 'file') handler.data(part)
        else if (into === 'extra') extra.push(Buffer.from(part))
        if (left > 0) return
        endContent()
      }
      if (padding > 0) {
        const skipped = Math.min(padding, bytes.length)
        padding -= skipped
        bytes = bytes.subarray(skipped)
        if (padding > 0) return
      }
      if (bytes.length < BLOCK) {
        held = Buffer.from(bytes)
        return
      }
      readHeader(bytes.subarray(0, BLOCK))
      if (isOver) return
      bytes = bytes.subarray(BLOCK)
    }
  }

  function endContent() {
    if (into === 'file') handler.end()
    if (into === 'extra') {
      records = readRecords(Buffer.concat(extra))
      extra = []
    }
    into = 'nothing'
  }

  function readHeader(block: Buffer): void {
    if (block[0] === 0 && block.every((byte) => byte === 0)) {
      isOver = ++zeros === 2
      return
    }
    zeros = 0
    let sum = 0
    for (let at = 0; at < BLOCK; at++) sum += at >= 148 && at < 156 ? 32 : block[at]!
    if (sum !== readNumber(block.subarray(148, 156))) throw damaged()
    const flag = String.fromCharCode(block[156]!)
    const size = numberOf(records.get('size')) ?? readNumber(block.subarray(124, 136))
    if (!Number.isSafeInteger(size) || size < 0) throw damaged()
    if (flag === 'x' || flag === 'g') {
      if (size > LONGEST_EXTRA) throw damaged()
      begin(flag === 'x' ? 'extra' : 'nothing', size)
      return
    }
    const type = types[flag] ?? 'other'
    const prefix = textOf(block.subarray(345, 500))
    const short = textOf(block.subarray(0, 100))
    const entry: TarEntry = {
      type,
      path: records.get('path') ?? (prefix.length > 0 ? Buffer.concat([prefix, Buffer.from('/'), short]) : short),
      target: records.get('linkpath') ?? textOf(block.subarray(157, 257)),
      size: type === 'file' ? size : 0,
      mode: readNumber(block.subarray(100, 108)),
      mtime: numberOf(records.get('mtime')) ?? readNumber(block.subarray(136, 148)),
      isSparse: [...records.keys()].some((key) => key.startsWith('GNU.sparse')),
    }
    records = new Map()
    handler.entry(entry)
    begin(type === 'file' ? 'file' : 'nothing', size)
  }

  function begin(what: typeof into, size: number) {
    into = what
    left = size
    padding = (BLOCK - (size % BLOCK)) % BLOCK
    if (size === 0) endContent()
  }

  return {
    push,
    finish() {
      if (!isOver) throw damaged()
    },
  }
}

/** Up to the first zero. */
function textOf(field: Buffer): Buffer {
  const end = field.indexOf(0)
  return Buffer.from(end < 0 ? field : field.subarray(0, end))
}

/** Octal, or as a binary number where that is too small. */
function readNumber(field: Buffer): number {
  if ((field[0]! & 0x80) !== 0) {
    let value = field[0] === 0xff ? -1 : field[0]! & 0x7f
    for (const byte of field.subarray(1)) value = value * 256 + byte
    return value
  }
  const text = field
    .toString('latin1')
    .replace(/[\0 ]+$/, '')
    .trim()
  if (text === '') return 0
  return /^[0-7]+$/.test(text) ? parseInt(text, 8) : NaN
}

function numberOf(record: Buffer | undefined): number | undefined {
  if (record === undefined) return undefined
  const value = Number(record.toString('latin1'))
  return Number.isFinite(value) ? value : undefined
}

/** `27 path=name\n`, the number counting all of it. */
function readRecords(bytes: Buffer): Map<string, Buffer> {
  const records = new Map<string, Buffer>()
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at)
    const length = space < 0 || space - at > 8 ? NaN : Number(bytes.toString('latin1', at, space))
    if (!Number.isInteger(length) || length < space - at + 3 || at + length > bytes.length) throw damaged()
    const record = bytes.subarray(space + 1, at + length - 1)
    const equals = record.indexOf(0x3d)
    if (equals < 0) throw damaged()
    records.set(record.toString('latin1', 0, equals), Buffer.from(record.subarray(equals + 1)))
    at += length
  }
  return records
}
