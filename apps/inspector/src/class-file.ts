/** What a compiled Java class can do, by the names that it uses (JVM specification 4.4). Nothing of it is run. */

export type ClassNames = { classes: string[]; members: string[]; texts: string[] }

/** Bytes of a constant after its tag, by the tag. */
const widths: Record<number, number> = {
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 2,
  8: 2,
  9: 4,
  10: 4,
  11: 4,
  12: 4,
  15: 3,
  16: 2,
  17: 4,
  18: 4,
  19: 2,
  20: 2,
}

/** Names in the pool of constants; undefined for what is no class. */
export function readClassNames(bytes: Buffer): ClassNames | undefined {
  if (bytes.length < 10 || bytes.readUInt32BE(0) !== 0xcafebabe) return undefined
  const count = bytes.readUInt16BE(8)
  const texts = new Map<number, string>()
  const classes: number[] = []
  const strings: number[] = []
  const pairs = new Map<number, number>()
  const references: { owner: number; pair: number }[] = []
  const owners = new Map<number, number>()
  let at = 10
  for (let index = 1; index < count; index++) {
    const tag = bytes[at++]
    if (tag === undefined) return undefined
    if (tag === 1) {
      if (at + 2 > bytes.length) return undefined
      const length = bytes.readUInt16BE(at)
      if (at + 2 + length > bytes.length) return undefined
      texts.set(index, bytes.toString('utf8', at + 2, at + 2 + length))
      at += 2 + length
      continue
    }
    const width = widths[tag]
    if (width === undefined || at + width > bytes.length) return undefined
    const first = bytes.readUInt16BE(at)
    if (tag === 7) {
      classes.push(first)
      owners.set(index, first)
    } else if (tag === 8) strings.push(first)
    else if (tag === 12) pairs.set(index, first)
    else if (tag >= 9 && tag <= 11) references.push({ owner: first, pair: bytes.readUInt16BE(at + 2) })
    if (tag === 5 || tag === 6) index++ // these take two places
    at += width
  }
  const textAt = (index: number | undefined) => (index === undefined ? '' : (texts.get(index) ?? ''))
  return {
    classes: classes.map(textAt),
    members: references.map(({ owner, pair }) => `${textAt(owners.get(owner))}.${textAt(pairs.get(pair))}`),
    texts: strings.map(textAt),
  }
}
