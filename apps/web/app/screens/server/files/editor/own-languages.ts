/** Languages of the game that no package knows: JSON with its relatives, functions and logs. Enough to colour them. */
import type { StreamParser, StringStream } from '@codemirror/language'

type Depth = { isKey: boolean; stack: ('{' | '[')[]; isComment: boolean }

const numberToken = /^[+-]?(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?[bslfd]?|Infinity|NaN)(?![\w.])/i
const wordToken = /^[A-Za-z_$][\w$.+-]*/

/** JSON, JSON5, and SNBT: keys may lack quotes, strings have either kind, comments and number suffixes are let be. */
export const jsonLike: StreamParser<Depth> = {
  name: 'json',
  startState: () => ({ isKey: false, stack: [], isComment: false }),
  copyState: ({ isKey, stack, isComment }) => ({ isKey, stack: [...stack], isComment }),
  token(stream, state) {
    if (state.isComment) {
      if (stream.match(/^.*?\*\//)) state.isComment = false
      else stream.skipToEnd()
      return 'comment'
    }
    if (stream.eatSpace()) return null
    if (stream.match('//')) {
      stream.skipToEnd()
      return 'comment'
    }
    if (stream.match('/*')) {
      state.isComment = true
      return 'comment'
    }
    const char = stream.peek()
    if (char === '"' || char === "'") {
      const isKey = state.isKey
      eatString(stream)
      return isKey ? 'propertyName' : 'string'
    }
    if (char === '{' || char === '[') {
      stream.next()
      state.stack.push(char)
      state.isKey = char === '{'
      return 'bracket'
    }
    if (char === '}' || char === ']') {
      stream.next()
      state.stack.pop()
      state.isKey = false
      return 'bracket'
    }
    if (char === ':' || char === ',' || char === ';') {
      stream.next()
      state.isKey = char === ',' && state.stack.at(-1) === '{'
      return 'punctuation'
    }
    if (state.isKey && stream.match(wordToken)) return 'propertyName'
    if (stream.match(numberToken)) return 'number'
    const word = stream.match(wordToken) as RegExpMatchArray | null
    if (word !== null) return /^(?:true|false|null)$/.test(word[0]) ? 'atom' : 'string'
    stream.next()
    return null
  },
  languageData: { commentTokens: { line: '//' }, closeBrackets: { brackets: ['[', '{', '"'] } },
}

/** Up to its end, or that of the line. */
function eatString(stream: StringStream): void {
  const quote = stream.next()
  let isEscaped = false
  for (let next = stream.next(); next !== undefined && next !== null; next = stream.next()) {
    if (next === quote && !isEscaped) return
    isEscaped = next === '\\' && !isEscaped
  }
}

/** Commands of a function, one per line. */
export const mcfunction: StreamParser<{ isFirst: boolean }> = {
  name: 'mcfunction',
  startState: () => ({ isFirst: true }),
  copyState: ({ isFirst }) => ({ isFirst }),
  token(stream, state) {
    if (stream.sol()) state.isFirst = true
    if (stream.eatSpace()) return null
    if (state.isFirst && stream.peek() === '#') {
      stream.skipToEnd()
      return 'comment'
    }
    if (state.isFirst) {
      state.isFirst = false
      stream.eat('$')
      if (stream.match(/^\/?[\w:.-]+/)) return 'keyword'
    }
    if (stream.match(/^@[aeprsn]\b/)) return 'variableName.special'
    if (stream.match(/^\$\([\w]+\)/)) return 'variableName.special'
    const char = stream.peek()
    if (char === '"' || char === "'") {
      eatString(stream)
      return 'string'
    }
    if (stream.match(/^[~^](?:-?\d*\.?\d*)/)) return 'number'
    if (stream.match(numberToken) || stream.match(/^-?\d+\.\.-?\d*|^\.\.-?\d+/)) return 'number'
    if (stream.match(/^run\b/)) {
      // What runs is a command again.
      state.isFirst = true
      return 'keyword'
    }
    if (stream.match(/^#?[a-z0-9_.-]+:[a-z0-9_./-]+/)) return 'atom'
    if (stream.match(/^[\w.-]+/)) return null
    stream.next()
    return 'punctuation'
  },
  languageData: { commentTokens: { line: '#' } },
}

/** A log: time, level, who tells it; warnings and errors stand out with what follows them. */
export const log: StreamParser<{ level: string | null }> = {
  name: 'log',
  startState: () => ({ level: null }),
  copyState: ({ level }) => ({ level }),
  token(stream, state) {
    if (stream.sol()) {
      const line = stream.string
      if (/^\s*(?:at |Caused by:|\.\.\. \d+ more|Suppressed:)/.test(line)) state.level = 'invalid'
      else if (/^\[|^\d{2,4}[-:]/.test(line))
        state.level = /\b(?:ERROR|FATAL|SEVERE)\b/.test(line)
          ? 'invalid'
          : /\bWARN(?:ING)?\b/.test(line)
            ? 'heading'
            : null
      if (stream.match(/^\[[^\]]*\d{1,2}:\d{2}[^\]]*\]|^\d{4}-\d{2}-\d{2}[T ]\S+/)) return 'comment'
    }
    if (state.level === null && stream.match(/^ ?\[[^\]]*\]:?/)) return 'meta'
    stream.skipToEnd()
    return state.level
  },
}
