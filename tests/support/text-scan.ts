/** Reads components as syntax trees: which texts they ask for, and which they write themselves. */
import { parseSync } from 'oxc-parser'

type Node = { type: string; start: number } & Record<string, unknown>

export type TextUse = {
  /** Keys and patterns of keys that are asked for: `t('a.b')`, `t(`a.${b}`)`, `<Trans i18nKey="a.b">`. */
  asked: { key: RegExp; shown: string; line: number }[]
  /** Every string in the file that has the form of a key; a key may be chosen before it is asked for. */
  mentioned: RegExp[]
  /** Words for people in the code itself. */
  written: { text: string; line: number }[]
}

/** Attributes that people read or hear. */
const spoken = new Set(['aria-label', 'aria-description', 'title', 'placeholder', 'alt', 'label', 'description'])
const word = /\p{L}{2,}/u

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

function* childrenOf(node: Node): Iterable<Node> {
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) yield* value.filter(isNode)
    else if (isNode(value)) yield value
  }
}

/** The strings an expression may come to: a literal, a template with gaps, both sides of a choice. */
function stringsOf(node: unknown): { parts: string[]; start: number }[] {
  if (!isNode(node)) return []
  if (node.type === 'Literal' && typeof node['value'] === 'string')
    return [{ parts: [node['value']], start: node.start }]
  if (node.type === 'TemplateLiteral') {
    const quasis = node['quasis'] as { value: { cooked: string } }[]
    return [{ parts: quasis.map(({ value }) => value.cooked), start: node.start }]
  }
  if (node.type === 'ConditionalExpression') return [...stringsOf(node['consequent']), ...stringsOf(node['alternate'])]
  if (node.type === 'LogicalExpression') return [...stringsOf(node['left']), ...stringsOf(node['right'])]
  if (node.type === 'JSXExpressionContainer' || node.type.startsWith('TS')) return stringsOf(node['expression'])
  return []
}

/** `a.${x}.b` stands for every key of that form. */
function toPattern(parts: readonly string[]): RegExp {
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${escaped.join(String.raw`[\w. -]+`)}$`)
}

/** @returns whether a key is one of those that the patterns stand for. Most are plain keys, and are looked up as such. */
export function matcherOf(patterns: readonly RegExp[]): (key: string) => boolean {
  const sources = [...new Set(patterns.map(({ source }) => source))]
  const plain = new Set(
    sources.filter((source) => !source.includes('[')).map((source) => source.slice(1, -1).replaceAll('\\', '')),
  )
  const withGaps = sources.filter((source) => source.includes('[')).map((source) => new RegExp(source))
  return (key) => plain.has(key) || withGaps.some((pattern) => pattern.test(key))
}

/** Keys that begin with a gap could be anything, and so prove nothing. */
const isKey = ([first = '', ...rest]: readonly string[]) =>
  rest.length === 0 ? /^[a-z]\w*(?:\.[\w-]+)+$/i.test(first) : /^[a-z]\w*\./i.test(first)

function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  if (node.type === 'MemberExpression') return nameOf(node['property'])
  return typeof node['name'] === 'string' ? node['name'] : ''
}

export function scanTexts(file: string, source: string): TextUse {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  const use: TextUse = { asked: [], mentioned: [], written: [] }
  const lineAt = (start: number) => source.slice(0, start).split('\n').length
  const ask = (node: unknown) => {
    for (const { parts, start } of stringsOf(node))
      use.asked.push({ key: toPattern(parts), shown: parts.join('${…}'), line: lineAt(start) })
  }
  const write = (node: unknown) => {
    for (const { parts, start } of stringsOf(node)) {
      const text = parts.join('…').trim()
      if (word.test(text)) use.written.push({ text, line: lineAt(start) })
    }
  }
  const visit = (node: Node): void => {
    if (node.type === 'CallExpression' && nameOf(node['callee']) === 't') ask((node['arguments'] as unknown[])[0])
    if (node.type === 'JSXAttribute') {
      const name = nameOf(node['name'])
      if (name === 'i18nKey') ask(node['value'])
      if (spoken.has(name)) write(node['value'])
    }
    if (node.type === 'JSXElement' || node.type === 'JSXFragment') {
      for (const child of node['children'] as Node[]) {
        const text = child.type === 'JSXText' ? String(child['value']).trim() : ''
        if (word.test(text)) use.written.push({ text, line: lineAt(child.start) })
        if (child.type === 'JSXExpressionContainer') write(child)
      }
    }
    if (node.type === 'Literal' || node.type === 'TemplateLiteral')
      use.mentioned.push(
        ...stringsOf(node)
          .filter(({ parts }) => isKey(parts))
          .map(({ parts }) => toPattern(parts)),
      )
    for (const child of childrenOf(node)) visit(child)
  }
  visit(program as unknown as Node)
  return use
}
