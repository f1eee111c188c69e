/** NBT as it stands in files: compressed or not, of Java or of Bedrock Edition. */
import { gunzipSync, gzipSync, inflateSync, deflateSync } from 'node:zlib'
import { type NbtEdition, type NbtLimits, type NbtTag, readNbt, writeNbt } from './nbt.ts'
import { ProtocolError } from './protocol-error.ts'

export type NbtFile = {
  name: string
  tag: NbtTag
  edition: NbtEdition
  compression: 'none' | 'gzip' | 'zlib'
  /** What Bedrock's `level.dat` says before its tree; null without such a head. */
  version: number | null
}

/** Most bytes that a compressed file may grow to. */
export const MAX_NBT_BYTES = 64 * 1024 * 1024
const HEAD_BYTES = 8
const COMPOUND = 10

/**
 * Reads a file of NBT, finding out by itself how it is compressed and which edition wrote it. One that both editions
 * could have written is Java's, unless `edition` says otherwise.
 * @throws ProtocolError when it is damaged or beyond a limit.
 */
export function readNbtFile(
  file: Uint8Array,
  {
    edition,
    maxBytes = MAX_NBT_BYTES,
    limits,
  }: { edition?: NbtEdition; maxBytes?: number; limits?: Partial<NbtLimits> } = {},
): NbtFile {
  const compression = compressionOf(file)
  const bytes = unpack(file, compression, maxBytes)
  const version = edition === 'java' ? null : versionOf(bytes)
  const read = (one: NbtEdition, from: number): NbtFile => {
    const { name, tag } = readNbt(bytes.subarray(from), { edition: one, ...(limits ? { limits } : {}) })
    return { name, tag, edition: one, compression, version: from > 0 ? version : null }
  }
  if (version !== null) return read('bedrock', HEAD_BYTES)
  if (edition) return read(edition, 0)
  try {
    return read('java', 0)
  } catch (error) {
    try {
      return read('bedrock', 0)
    } catch {
      throw error
    }
  }
}

/** The bytes of a file as `readNbtFile` described it. @throws RangeError as `writeNbt` does. */
export function writeNbtFile({ name, tag, edition, compression, version }: NbtFile): Buffer {
  const tree = writeNbt(tag, { edition, name })
  const head = Buffer.alloc(version === null ? 0 : HEAD_BYTES)
  if (version !== null) {
    head.writeInt32LE(version)
    head.writeInt32LE(tree.length, 4)
  }
  const bytes = Buffer.concat([head, tree])
  if (compression === 'gzip') return gzipSync(bytes)
  return compression === 'zlib' ? deflateSync(bytes) : bytes
}

function compressionOf(file: Uint8Array): NbtFile['compression'] {
  // Any version may stand in a head, also one that looks like the start of a compressed file.
  if (versionOf(file) !== null) return 'none'
  const [first = 0, second = 0] = file
  if (first === 0x1f && second === 0x8b) return 'gzip'
  // A window of at most 32 KiB, and a checksum over both bytes. No tree begins so: its first byte is 10 at most.
  return (first & 0x0f) === 8 && first >> 4 <= 7 && first >= 0x18 && (first * 256 + second) % 31 === 0 ? 'zlib' : 'none'
}

function unpack(file: Uint8Array, compression: NbtFile['compression'], maxOutputLength: number): Uint8Array {
  if (compression === 'none') {
    if (file.length > maxOutputLength) throw new ProtocolError('NBT: too large')
    return file
  }
  try {
    return compression === 'gzip' ? gunzipSync(file, { maxOutputLength }) : inflateSync(file, { maxOutputLength })
  } catch (error) {
    const large = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new ProtocolError(large ? 'NBT: too large' : 'NBT: its compression is damaged', { cause: error })
  }
}

/** Bedrock's `level.dat` begins with a version and the length of what follows. */
function versionOf(bytes: Uint8Array): number | null {
  if (bytes.length <= HEAD_BYTES || bytes[HEAD_BYTES] !== COMPOUND) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEAD_BYTES)
  return view.getInt32(4, true) === bytes.length - HEAD_BYTES ? view.getInt32(0, true) : null
}
