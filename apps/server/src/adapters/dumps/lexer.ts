/**
 * Splits SQL as `mysqldump` writes it into tokens, piece by piece as it comes. What nobody wants to read is passed over
 * without being kept, so that a dump of any size takes no more memory than its largest value.
 */

/** Something about the dump that keeps it from being read; the message is for the operator. */
export class DumpError extends Error {}

export type Token =
  /** A keyword, a number, `0xAB…`. */
  | { type: 'word'; text: string }
  /** In backquotes. */
  | { type: 'name'; text: string }
  /** In quotes; undefined where values are not kept. */
  | { type: 'string'; bytes: Buffer | undefined }
  | { type: 'mark'; mark: string }

/** Of one value. A panel keeps nothing that comes near. */
const mostBytes = 16 * 1024 * 1024

const code = (text: string) => text.charCodeAt(0)
const [quote, doubleQuote, backquote, backslash] = [code("'"), code('"'), code('`'), code('\\')]
const [dash, hash, slash, star, lineEnd] = [code('-'), code('#'), code('/'), code('*'), code('\n')]

const isSpace = (byte: number) => byte === 32 || (byte >= 9 && byte <= 13)
/** What words and numbers are made of; everything beyond ASCII too. */
const isWord = (byte: number) =>
  (byte >= 48 && byte <= 57) ||
  (byte >= 65 && byte <= 90) ||
  (byte >= 97 && byte <= 122) ||
  byte === 95 ||
  byte === 36 ||
  byte === 46 ||
  byte >= 128
/** A sign begins a number, and stands within one as in `1e-3`. */
const isSign = (byte: number) => byte === 43 || byte === dash

/** What stands behind a backslash, where it is not itself. */
const escapes = new Map(
  Object.entries({ '0': 0, b: 8, n: 10, r: 13, t: 9, Z: 26 }).map(([letter, byte]) => [code(letter), byte]),
)

type State =
  | { in: 'between' }
  | { in: 'line comment' }
  | { in: 'comment' }
  | { in: 'quotes'; by: number; parts: Buffer[]; length: number }
  /** The statements of triggers and routines, which have delimiters of their own. */
  | { in: 'routine'; isFirstLine: boolean }

/**
 * @param take is given each token, in order
 * @param keeps whether the values that come now are wanted
 */
export function createLexer(take: (token: Token) => void, keeps: () => boolean) {
  let state: State = { in: 'between' }
  let rest: Buffer = Buffer.alloc(0)

  function push(chunk: Buffer, isLast: boolean): void {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (at < bytes.length) {
      const next = step(bytes, at, isLast)
      if (next === at) break // more has to come first
      at = next
    }
    rest = at === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(at))
    if (rest.length > mostBytes) throw new DumpError('a word of the dump is longer than any could be')
  }

  /** @returns where to go on; the same place where that cannot be told yet */
  function step(bytes: Buffer, at: number, isLast: boolean): number {
    switch (state.in) {
      case 'between':
        return begin(bytes, at, isLast)
      case 'line comment':
        return skipPast(bytes, at, '\n')
      case 'comment':
        return skipPast(bytes, at, '*/', isLast)
      case 'routine':
        return skipRoutine(state, bytes, at, isLast)
      case 'quotes':
        return readQuoted(state, bytes, at, isLast)
    }
  }

  function skipPast(bytes: Buffer, at: number, end: string, isLast = false): number {
    const found = bytes.indexOf(end, at)
    if (found !== -1) {
      state = { in: 'between' }
      return found + end.length
    }
    // The first letter of the end may be the last that has come.
    return end.length === 1 || isLast ? bytes.length : Math.max(at, bytes.length - (end.length - 1))
  }

  function begin(bytes: Buffer, at: number, isLast: boolean): number {
    const byte = bytes[at]!
    if (isSpace(byte)) return at + 1
    const following = bytes[at + 1]
    if ((byte === dash || byte === slash) && following === undefined && !isLast) return at
    if (byte === dash && following === dash) {
      const third = bytes[at + 2]
      if (third === undefined && !isLast) return at
      if (third === undefined || isSpace(third)) return enter({ in: 'line comment' }, at + 2)
    }
    if (byte === hash) return enter({ in: 'line comment' }, at + 1)
    if (byte === slash && following === star) return enter({ in: 'comment' }, at + 2)
    if (byte === quote || byte === doubleQuote || byte === backquote)
      return enter({ in: 'quotes', by: byte, parts: [], length: 0 }, at + 1)
    if (isWord(byte) || isSign(byte)) return readWord(bytes, at, isLast)
    take({ type: 'mark', mark: String.fromCharCode(byte) })
    return at + 1
  }

  function enter(next: State, at: number): number {
    state = next
    return at
  }

  function readWord(bytes: Buffer, at: number, isLast: boolean): number {
    let end = at + 1
    while (end < bytes.length) {
      const byte = bytes[end]!
      const isExponent = isSign(byte) && (bytes[end - 1]! | 32) === code('e') && bytes[at]! < 58
      if (!isWord(byte) && !isExponent) break
      end++
    }
    if (end === bytes.length && !isLast) return at
    const text = bytes.toString('utf8', at, end)
    if (text.toUpperCase() === 'DELIMITER') return enter({ in: 'routine', isFirstLine: true }, end)
    take({ type: 'word', text })
    return end
  }

  /** Up to the line that says `DELIMITER ;`. */
  function skipRoutine(routine: State & { in: 'routine' }, bytes: Buffer, at: number, isLast: boolean): number {
    const found = bytes.indexOf(lineEnd, at)
    // Of a long line the end is enough: it is not the one that is looked for.
    if (found === -1 && !isLast) return bytes.length - at > 4096 ? bytes.length - 64 : at
    const end = found === -1 ? bytes.length : found
    const line = bytes.toString('latin1', Math.max(at, end - 64), end)
    const isOver = routine.isFirstLine ? /^\s*;\s*$/.test(line) : /^\s*DELIMITER\s*;\s*$/i.test(line)
    state = isOver ? { in: 'between' } : { in: 'routine', isFirstLine: false }
    return found === -1 ? bytes.length : end + 1
  }

  function readQuoted(open: State & { in: 'quotes' }, bytes: Buffer, at: number, isLast: boolean): number {
    const { by } = open
    let end = at
    while (end < bytes.length && bytes[end] !== by && (bytes[end] !== backslash || by === backquote)) end++
    if (end > at) {
      keep(open, bytes.subarray(at, end))
      return end
    }
    const following = bytes[at + 1]
    if (following === undefined && !isLast) return at
    if (bytes[at] === backslash) {
      if (following === undefined) return at + 1
      // These two mean themselves with their backslash, but for who looks for them with LIKE.
      const isPattern = following === code('%') || following === code('_')
      keep(open, isPattern ? bytes.subarray(at, at + 2) : Buffer.of(escapes.get(following) ?? following))
      return at + 2
    }
    if (following === by) {
      keep(open, Buffer.of(by))
      return at + 2
    }
    state = { in: 'between' }
    const whole = Buffer.concat(open.parts)
    if (by === backquote) take({ type: 'name', text: whole.toString() })
    else take({ type: 'string', bytes: keeps() ? whole : undefined })
    return at + 1
  }

  function keep(open: State & { in: 'quotes' }, part: Buffer): void {
    if (open.by !== backquote && !keeps()) return
    open.length += part.length
    if (open.length > mostBytes) throw new DumpError('a value of the dump is larger than 16 MiB')
    open.parts.push(Buffer.from(part))
  }

  return {
    push: (chunk: Buffer) => push(chunk, false),
    /** @throws DumpError where it ends within a value or a comment */
    end(): void {
      push(Buffer.alloc(0), true)
      if (state.in === 'quotes' || state.in === 'comment')
        throw new DumpError('the dump breaks off: it ends within a value')
    },
  }
}
