/**
 * The language in which a coupon says what a renewal costs: whole numbers, names, `+ - * / %`, comparisons, `and`,
 * `or`, `not`, and `min`, `max`, `if`. Described in docs/vouchers.md. It is read by the parser below and never handed to
 * an engine of a bigger language: nothing in it can reach anything, loop, or take long.
 */

/** What an expression may speak of; all are whole numbers. */
export const expressionNames = ['price', 'hours', 'used'] as const
export type ExpressionValues = Readonly<Record<(typeof expressionNames)[number], number>>

const longest = 200
const deepest = 32
/** The largest number that occurs on the way: past it a result would not be exact. */
const largest = BigInt(Number.MAX_SAFE_INTEGER)

/** Why an expression cannot be read, or has no result. */
export const expressionFaults = [
  'too_long',
  'too_deep',
  'unexpected',
  'unknown_name',
  'wrong_arguments',
  'number_too_large',
  'division_by_zero',
] as const
type Fault = (typeof expressionFaults)[number]

export class ExpressionError extends Error {
  readonly fault: Fault
  /** Where in the text, counted from 0. */
  readonly at: number

  constructor(fault: Fault, at: number) {
    super(`${fault} at ${at}`)
    this.name = 'ExpressionError'
    this.fault = fault
    this.at = at
  }
}

type Operator = '+' | '-' | '*' | '/' | '%' | '<' | '<=' | '>' | '>=' | '==' | '!=' | 'and' | 'or'
type Node =
  | { kind: 'number'; value: bigint }
  | { kind: 'name'; name: keyof ExpressionValues }
  | { kind: 'unary'; operator: '-' | 'not'; of: Node; at: number }
  | { kind: 'binary'; operator: Operator; left: Node; right: Node; at: number }
  | { kind: 'call'; name: 'min' | 'max'; of: Node[] }
  | { kind: 'if'; when: Node; yes: Node; no: Node }

type Token = { text: string; at: number; kind: 'number' | 'word' | 'sign' | 'end' }

const shape = /\s*(?:(\d+)|([a-z]+)|(<=|>=|==|!=|[-+*/%<>(),]))/y

function tokenise(text: string): Token[] {
  if (text.length > longest) throw new ExpressionError('too_long', longest)
  const tokens: Token[] = []
  let at = 0
  for (;;) {
    shape.lastIndex = at
    const match = shape.exec(text)
    if (match === null) break
    const [whole, number, word, sign] = match
    const found = number ?? word ?? sign ?? ''
    const kind = number !== undefined ? 'number' : word !== undefined ? 'word' : 'sign'
    tokens.push({ text: found, at: at + whole.length - found.length, kind })
    at += whole.length
  }
  const rest = text.slice(at)
  if (rest.trim() !== '') throw new ExpressionError('unexpected', at + rest.length - rest.trimStart().length)
  tokens.push({ text: '', at: text.length, kind: 'end' })
  return tokens
}

/** Loosest first; comparisons do not chain, as each gives 0 or 1. */
const levels: readonly (readonly Operator[])[] = [
  ['or'],
  ['and'],
  ['<', '<=', '>', '>=', '==', '!='],
  ['+', '-'],
  ['*', '/', '%'],
]

function parse(text: string): Node {
  const tokens = tokenise(text)
  let position = 0
  let depth = 0
  const peek = () => tokens[position] as Token
  const unexpected = () => new ExpressionError('unexpected', peek().at)
  const take = (expected?: string): Token => {
    const token = peek()
    if (token.kind === 'end' || (expected !== undefined && token.text !== expected)) throw unexpected()
    position++
    return token
  }

  function deeper<Result>(read: () => Result): Result {
    if (++depth > deepest) throw new ExpressionError('too_deep', peek().at)
    const result = read()
    depth--
    return result
  }

  function readLevel(level: number): Node {
    const operators = levels[level]
    if (operators === undefined) return readUnary()
    let left = readLevel(level + 1)
    for (;;) {
      const token = peek()
      const operator = operators.find((one) => one === token.text)
      if (operator === undefined) return left
      position++
      left = { kind: 'binary', operator, left, right: readLevel(level + 1), at: token.at }
    }
  }

  function readUnary(): Node {
    const { text: operator, at } = peek()
    if (operator !== '-' && operator !== 'not') return readPrimary()
    position++
    return { kind: 'unary', operator, of: deeper(readUnary), at }
  }

  function readPrimary(): Node {
    const token = take()
    if (token.kind === 'number') {
      if (token.text.length > 15) throw new ExpressionError('number_too_large', token.at)
      return { kind: 'number', value: BigInt(token.text) }
    }
    if (token.text === '(') {
      const inner = deeper(() => readLevel(0))
      take(')')
      return inner
    }
    if (token.kind !== 'word') throw new ExpressionError('unexpected', token.at)
    const name = expressionNames.find((one) => one === token.text)
    if (name !== undefined) return { kind: 'name', name }
    return readCall(token)
  }

  function readCall({ text: name, at }: Token): Node {
    if (name !== 'min' && name !== 'max' && name !== 'if') throw new ExpressionError('unknown_name', at)
    take('(')
    const given = [deeper(() => readLevel(0))]
    while (peek().text === ',') {
      position++
      given.push(deeper(() => readLevel(0)))
    }
    take(')')
    if (name !== 'if') return { kind: 'call', name, of: given }
    const [when, yes, no, ...more] = given
    if (when === undefined || yes === undefined || no === undefined || more.length > 0)
      throw new ExpressionError('wrong_arguments', at)
    return { kind: 'if', when, yes, no }
  }

  const node = readLevel(0)
  if (peek().kind !== 'end') throw unexpected()
  return node
}

/** Rounds down, also below zero, so that what is shared out is never more than there is. */
function divideDown(left: bigint, right: bigint): bigint {
  const quotient = left / right
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient
}

function calculate(operator: Operator, left: bigint, right: bigint, at: number): bigint {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
    case '%': {
      if (right === 0n) throw new ExpressionError('division_by_zero', at)
      const quotient = divideDown(left, right)
      return operator === '/' ? quotient : left - quotient * right
    }
    case '<':
      return left < right ? 1n : 0n
    case '<=':
      return left <= right ? 1n : 0n
    case '>':
      return left > right ? 1n : 0n
    case '>=':
      return left >= right ? 1n : 0n
    case '==':
      return left === right ? 1n : 0n
    case '!=':
      return left === right ? 0n : 1n
    case 'and':
      return left !== 0n && right !== 0n ? 1n : 0n
    case 'or':
      return left !== 0n || right !== 0n ? 1n : 0n
  }
}

function evaluate(node: Node, values: ExpressionValues): bigint {
  switch (node.kind) {
    case 'number':
      return node.value
    case 'name':
      return BigInt(values[node.name])
    case 'unary': {
      const of = evaluate(node.of, values)
      return node.operator === '-' ? -of : of === 0n ? 1n : 0n
    }
    case 'binary': {
      const result = calculate(node.operator, evaluate(node.left, values), evaluate(node.right, values), node.at)
      if (result > largest || result < -largest) throw new ExpressionError('number_too_large', node.at)
      return result
    }
    case 'call': {
      const given = node.of.map((one) => evaluate(one, values))
      return given.reduce((one, other) => ((node.name === 'min' ? one < other : one > other) ? one : other))
    }
    case 'if':
      return evaluate(evaluate(node.when, values) === 0n ? node.no : node.yes, values)
  }
}

/** The last one that was read: one is often worked out for many prices. */
let last: { text: string; node: Node } | undefined

/**
 * The result of an expression, a whole number.
 * @throws ExpressionError
 */
export function evaluateExpression(text: string, values: ExpressionValues): number {
  if (last?.text !== text) last = { text, node: parse(text) }
  return Number(evaluate(last.node, values))
}

/** Reads an expression without values. @returns what is wrong with it; null when nothing is. */
export function findExpressionFault(text: string): ExpressionError | null {
  try {
    parse(text)
    return null
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
}

/**
 * What a renewal costs by a coupon, net: never less than nothing and never more than without it. Where the expression
 * has no result for these values, the price stays.
 */
export function priceByExpression(text: string, values: ExpressionValues): number {
  try {
    return Math.min(values.price, Math.max(0, evaluateExpression(text, values)))
  } catch (error) {
    if (error instanceof ExpressionError) return values.price
    throw error
  }
}
