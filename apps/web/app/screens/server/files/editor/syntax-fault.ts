/**
 * The first place at which a text is no JSON, JSON5 or SNBT: where it is, and what should stand there. Read once from the
 * beginning to the end, without making anything of it.
 */
export type SyntaxFault = {
  /** In the text. */
  at: number
  wanted: 'value' | 'key' | 'colon' | 'comma' | 'string_end' | 'end' | 'comment_end'
}
type Dialect = 'json' | 'json5' | 'snbt'

/** A text that lies deeper in itself is looked at no further. */
const mostDepth = 500

const bare: Record<Dialect, RegExp> = {
  json: /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.$+-])/y,
  json5:
    /(?:true|false|null|[+-]?(?:Infinity|NaN|0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))(?![\w.$+-])/y,
  snbt: /[\w.+-]+/y,
}
const bareKey: Record<Dialect, RegExp | undefined> = {
  json: undefined,
  json5: /[\p{L}$_][\p{L}\p{N}$_]*/uy,
  snbt: /[\w.+-]+/y,
}

class Stop extends Error {
  readonly fault: SyntaxFault
  constructor(at: number, wanted: SyntaxFault['wanted']) {
    super(wanted)
    this.fault = { at, wanted }
  }
}

export function findSyntaxFault(text: string, dialect: Dialect): SyntaxFault | undefined {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  const hasTrailing = dialect !== 'json'

  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    if (!pattern.test(text)) return false
    at = pattern.lastIndex
    return true
  }
  function skip(): void {
    for (;;) {
      take(/\s+/y)
      if (dialect !== 'json5' || text[at] !== '/') return
      if (text[at + 1] === '/') take(/[^\n]*/y)
      else if (text[at + 1] === '*') {
        const end = text.indexOf('*/', at + 2)
        if (end < 0) throw new Stop(at, 'comment_end')
        at = end + 2
      } else return
    }
  }
  function takeString(): boolean {
    const quote = text[at]
    if (quote !== '"' && (quote !== "'" || dialect === 'json')) return false
    const from = at++
    for (; at < text.length; at++) {
      const letter = text[at]
      if (letter === quote) {
        at++
        return true
      }
      if (letter === '\\') at++
      else if (letter === '\n' && dialect !== 'snbt') break
    }
    throw new Stop(from, 'string_end')
  }
  function takeMembers(close: string, depth: number): void {
    at++
    skip()
    for (let isFirst = true; ; isFirst = false) {
      if (text[at] === close && (isFirst || hasTrailing)) break
      if (close === '}') {
        const key = bareKey[dialect]
        if (!takeString() && (key === undefined || !take(key))) throw new Stop(at, 'key')
        skip()
        if (text[at] !== ':') throw new Stop(at, 'colon')
        at++
        skip()
      }
      takeValue(depth + 1)
      skip()
      if (text[at] === close) break
      if (text[at] !== ',') throw new Stop(at, 'comma')
      at++
      skip()
    }
    at++
  }
  function takeValue(depth: number): void {
    if (depth > mostDepth) throw new RangeError('too deep')
    if (text[at] === '{') return takeMembers('}', depth)
    if (text[at] === '[') {
      // `[B; 1b, 2b]`
      if (dialect === 'snbt') {
        const head = /\[\s*[BIL]\s*;/y
        head.lastIndex = at
        if (head.test(text)) at = head.lastIndex - 1
      }
      return takeMembers(']', depth)
    }
    if (!takeString() && !take(bare[dialect])) throw new Stop(at, 'value')
  }
  try {
    skip()
    // An empty file is what nobody has written yet.
    if (at >= text.length) return undefined
    takeValue(0)
    skip()
    return at < text.length ? { at, wanted: 'end' } : undefined
  } catch (error) {
    if (error instanceof Stop) return error.fault
    return undefined
  }
}

/** By the end of a name; undefined for what is none of these. */
export function dialectOf(path: string): Dialect | undefined {
  const end = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  if (end === 'json' || end === 'mcmeta') return 'json'
  if (end === 'json5' || end === 'jsonc') return 'json5'
  return end === 'snbt' ? 'snbt' : undefined
}
