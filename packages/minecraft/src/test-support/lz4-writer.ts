/** Packs as lz4-java's block stream does, simply: the nearest earlier place with the same four bytes is taken. */
export function packLz4Stream(bytes: Buffer, blockBytes: number): Buffer {
  const blocks: Buffer[] = []
  for (let from = 0; from < bytes.length; from += blockBytes) {
    const plain = bytes.subarray(from, from + blockBytes)
    const packed = packBlock(plain)
    const isSmaller = packed.length < plain.length
    blocks.push(headOf(isSmaller ? 0x20 : 0x10, isSmaller ? packed.length : plain.length, plain.length))
    blocks.push(isSmaller ? packed : plain)
  }
  return Buffer.concat([...blocks, headOf(0x10, 0, 0)])
}

function headOf(method: number, packed: number, unpacked: number): Buffer {
  const head = Buffer.alloc(21)
  head.write('LZ4Block')
  head[8] = method
  head.writeInt32LE(packed, 9)
  head.writeInt32LE(unpacked, 13)
  return head
}

/** The last five bytes of a block are literals, and no copy begins in its last twelve. */
function packBlock(plain: Buffer): Buffer {
  const seen = new Map<number, number>()
  const out: number[] = []
  let literals = 0
  let at = 0
  while (at < plain.length - 12) {
    const key = plain.readUInt32LE(at)
    const back = seen.get(key)
    seen.set(key, at)
    if (back === undefined || at - back > 0xffff) {
      at++
      continue
    }
    let length = 4
    while (at + length < plain.length - 5 && plain[back + length] === plain[at + length]) length++
    writeSequence(plain.subarray(literals, at), length - 4, at - back)
    at += length
    literals = at
  }
  writeSequence(plain.subarray(literals))
  return Buffer.from(out)

  function writeSequence(part: Buffer, copied = 0, distance?: number) {
    out.push((Math.min(part.length, 15) << 4) | Math.min(copied, 15))
    writeLength(part.length)
    out.push(...part)
    if (distance === undefined) return
    out.push(distance & 0xff, distance >> 8)
    writeLength(copied)
  }

  function writeLength(length: number) {
    if (length < 15) return
    let rest = length - 15
    for (; rest >= 255; rest -= 255) out.push(255)
    out.push(rest)
  }
}
