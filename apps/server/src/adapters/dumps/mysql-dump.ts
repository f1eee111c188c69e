/**
 * Reads tables out of a dump that `mysqldump` or `mariadb-dump` has written, without a MySQL: columns from `CREATE TABLE`
 * or from the `INSERT`, rows from extended `INSERT`s. Everything else in it is passed over.
 *
 * No library does this well enough: those that are kept up split statements or read definitions, and the one that streams
 * rows has not been changed for years.
 */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { createLexer, DumpError, type Token } from './lexer.ts'

export { DumpError } from './lexer.ts'

/** Numbers come as they are written; bytes where the dump says that they are binary. */
export type Value = string | Buffer | null
export type Row = Record<string, Value>

/** Rows of one table, and bytes of all that is kept: beyond that it is no dump of such a system. */
const mostRows = 2_000_000
const mostKept = 1024 * 1024 * 1024
const mostColumns = 4096

type Phase =
  | { at: 'start' }
  | { at: 'skip' }
  /** Behind CREATE TABLE: `depth` of brackets, whether a column's name may come now. */
  | { at: 'create'; table: string | undefined; depth: number; isColumnNext: boolean; columns: string[] }
  | { at: 'insert'; table: string | undefined; columns: string[] | undefined; isInColumns: boolean }
  | Rows
/** `row`: the one that has begun; `form`: how the text that comes next is written. */
type Rows = {
  at: 'rows'
  table: string
  columns: string[]
  row: Value[] | undefined
  depth: number
  form: Form
  isValue: boolean
}
type Form = 'text' | 'binary' | 'hex' | 'bits'

const notColumns = new Set([
  'PRIMARY',
  'KEY',
  'UNIQUE',
  'INDEX',
  'CONSTRAINT',
  'FULLTEXT',
  'SPATIAL',
  'FOREIGN',
  'CHECK',
])
const insertWords = new Set(['INTO', 'IGNORE', 'DELAYED', 'LOW_PRIORITY', 'HIGH_PRIORITY'])
const createWords = new Set(['TABLE', 'IF', 'NOT', 'EXISTS', 'TEMPORARY', 'OR', 'REPLACE'])

/**
 * @param wants tables whose rows are wanted
 * @param take is given each row of those
 */
export function createDumpReader(wants: (table: string) => boolean, take: (table: string, row: Row) => void) {
  const tables = new Map<string, string[]>()
  let phase: Phase = { at: 'start' }
  let statements = 0
  const counts = new Map<string, number>()
  const lexer = createLexer(read, () => phase.at === 'rows' && wants(phase.table))

  function read(token: Token): void {
    if (token.type === 'mark' && token.mark === ';') {
      if (phase.at === 'rows' && phase.row !== undefined) throw new DumpError(`a row of ${phase.table} has no end`)
      return endStatement()
    }
    switch (phase.at) {
      case 'start':
        return start(token)
      case 'create':
        return readDefinition(phase, token)
      case 'insert':
        return readInsert(phase, token)
      case 'rows':
        return readRows(phase, token)
      case 'skip':
    }
  }

  function start(token: Token): void {
    statements++
    const word = token.type === 'word' ? token.text.toUpperCase() : ''
    if (word === 'CREATE') phase = { at: 'create', table: undefined, depth: 0, isColumnNext: false, columns: [] }
    else if (word === 'INSERT' || word === 'REPLACE')
      phase = { at: 'insert', table: undefined, columns: undefined, isInColumns: false }
    else phase = { at: 'skip' }
  }

  function endStatement(): void {
    if (phase.at === 'create' && phase.table !== undefined && phase.columns.length > 0)
      tables.set(phase.table, phase.columns)
    phase = { at: 'start' }
  }

  function readDefinition(open: Phase & { at: 'create' }, token: Token): void {
    const name = nameOf(token)
    if (open.depth === 0) return nameTable(open, token, name)
    if (token.type === 'mark') {
      if (token.mark === '(') open.depth++
      else if (token.mark === ')') open.depth--
      else if (token.mark === ',' && open.depth === 1) open.isColumnNext = true
      return
    }
    if (!open.isColumnNext) return
    open.isColumnNext = false
    if (name === undefined || (token.type === 'word' && notColumns.has(token.text.toUpperCase()))) return
    open.columns.push(name)
    if (open.columns.length > mostColumns) throw new DumpError(`table ${open.table} has more columns than MySQL allows`)
  }

  /** What stands before the columns, and the options behind them. */
  function nameTable(open: Phase & { at: 'create' }, token: Token, name: string | undefined): void {
    if (open.columns.length > 0) return
    if (token.type === 'mark' && token.mark === '(' && open.table !== undefined) {
      open.depth = 1
      open.isColumnNext = true
    } else if (token.type === 'word' && createWords.has(token.text.toUpperCase())) return
    else if (name === undefined ? !(token.type === 'mark' && token.mark === '.') : isOther(token))
      phase = { at: 'skip' }
    else if (name !== undefined) open.table = lastPart(name)
  }

  function readInsert(open: Phase & { at: 'insert' }, token: Token): void {
    if (token.type === 'mark') {
      if (token.mark === '(' && open.table !== undefined) {
        open.isInColumns = true
        open.columns = []
      } else if (token.mark === ')') open.isInColumns = false
      return
    }
    const word = token.type === 'word' ? token.text.toUpperCase() : ''
    const name = nameOf(token)
    if (open.isInColumns) {
      if (name !== undefined) open.columns?.push(name)
    } else if (word === 'VALUES' || word === 'VALUE') beginRows(open)
    else if (word === 'SELECT' || word === 'SET') phase = { at: 'skip' }
    else if (!insertWords.has(word) && name !== undefined) open.table = lastPart(name)
  }

  function beginRows({ table, columns }: Phase & { at: 'insert' }): void {
    if (table === undefined) throw new DumpError('the dump inserts rows into no table')
    const known = columns ?? tables.get(table) ?? []
    if (known.length === 0 && wants(table))
      throw new DumpError(
        `the dump has rows of ${table} and does not say their columns: make it without --no-create-info, or with --complete-insert`,
      )
    phase = { at: 'rows', table, columns: known, row: undefined, depth: 0, form: 'text', isValue: false }
  }

  function readRows(open: Rows, token: Token): void {
    if (open.row === undefined) {
      if (token.type === 'mark' && token.mark === '(') open.row = []
      else if (token.type === 'word' && token.text.toUpperCase() === 'ON') phase = { at: 'skip' }
      return
    }
    if (token.type === 'mark') {
      if (token.mark === '(') open.depth++
      else if (token.mark === ')' && open.depth > 0) open.depth--
      else if (token.mark === ')') endRow(open)
      else if (token.mark === ',' && open.depth === 0) open.isValue = false
      return
    }
    if (!wants(open.table)) return
    if (open.depth > 0) throw new DumpError(`a row of ${open.table} holds an expression, which no dump does`)
    const value = valueOf(open, token)
    if (value === undefined) return
    if (open.isValue) throw new DumpError(`a row of ${open.table} cannot be read: two values and no comma`)
    open.row.push(value)
    open.isValue = true
    open.form = 'text'
    if (open.row.length > mostColumns) throw new DumpError(`a row of ${open.table} has too many values`)
  }

  function endRow(open: Rows): void {
    const row = open.row ?? []
    open.row = undefined
    open.isValue = false
    if (!wants(open.table)) return
    const count = (counts.get(open.table) ?? 0) + 1
    counts.set(open.table, count)
    if (row.length !== open.columns.length)
      throw new DumpError(
        `row ${count} of ${open.table} has ${row.length} values and the table has ${open.columns.length} columns`,
      )
    if (count > mostRows) throw new DumpError(`${open.table} has more than ${mostRows} rows`)
    take(open.table, Object.fromEntries(open.columns.map((column, index) => [column, row[index] ?? null])))
  }

  return {
    push: (chunk: Buffer) => lexer.push(chunk),
    /** @returns columns of every table that the dump defines. @throws DumpError where it breaks off, or is no dump */
    end(): Map<string, readonly string[]> {
      lexer.end()
      if (phase.at !== 'start') throw new DumpError('the dump breaks off: its last statement has no end')
      if (statements === 0) throw new DumpError('there is nothing in this file that a dump of MySQL would have')
      return tables
    },
  }
}

/** Something else is created: no table. */
const isOther = (token: Token) =>
  token.type === 'word' &&
  /^(VIEW|FUNCTION|PROCEDURE|TRIGGER|EVENT|DATABASE|SCHEMA|USER|ROLE|DEFINER|ALGORITHM|SQL|INDEX|UNIQUE|FULLTEXT)$/i.test(
    token.text,
  )

/** A name as it is written, quoted or not. */
function nameOf(token: Token): string | undefined {
  if (token.type === 'name') return token.text
  if (token.type === 'word') return token.text
  return token.type === 'string' ? token.bytes?.toString() : undefined
}

/** Of `database.table`. Unquoted the lexer reads both as one word. */
const lastPart = (name: string) => name.slice(name.lastIndexOf('.') + 1)

/** Undefined for what is told of the value that follows. */
function valueOf(open: Pick<Rows, 'table' | 'form'>, token: Token): Value | undefined {
  if (token.type === 'string') return readText(open, token.bytes ?? Buffer.alloc(0))
  if (token.type === 'name') throw new DumpError(`a row of ${open.table} holds a name in the place of a value`)
  if (token.type !== 'word') return undefined
  const { text } = token
  const word = text.toUpperCase()
  if (word === 'NULL') return null
  if (word === 'TRUE') return '1'
  if (word === 'FALSE') return '0'
  if (/^0x([0-9a-f]{2})*$/i.test(text)) return Buffer.from(text.slice(2), 'hex')
  if (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return text
  // Before a text: how it is written.
  const form = forms[word] ?? (/^(_[A-Z0-9]+|N)$/.test(word) ? 'text' : undefined)
  if (form === undefined) throw new DumpError(`a row of ${open.table} holds ${text.slice(0, 40)}, which is no value`)
  open.form = form
  return undefined
}

const forms: Readonly<Record<string, Form>> = { _BINARY: 'binary', X: 'hex', B: 'bits' }

function readText({ table, form }: Pick<Rows, 'table' | 'form'>, bytes: Buffer): Value {
  if (form === 'binary') return bytes
  const text = bytes.toString()
  if (form === 'text') return text
  if (form === 'hex' && /^([0-9a-f]{2})*$/i.test(text)) return Buffer.from(text, 'hex')
  if (form === 'bits' && /^[01]{1,64}$/.test(text)) return String(BigInt(`0b${text}`))
  throw new DumpError(`a row of ${table} holds bits that cannot be read`)
}

/** What is wanted of a table. */
export type Wanted = {
  /** Without these nothing can be done. */
  columns: readonly string[]
  /** Null where the dump lacks them: they came, or went, with a version. */
  more?: readonly string[]
  /** A dump without the table will do. */
  isOptional?: boolean
}

/** Of each table its rows, with the columns that are wanted; a table that the dump lacks has none. */
export type Tables<Name extends string> = Record<Name, Row[]>

/**
 * Reads a dump, also one that `gzip` has packed.
 * @throws DumpError which names what is missing
 */
export async function readDump<Name extends string>(
  file: string,
  wanted: Readonly<Record<Name, Wanted>>,
): Promise<Tables<Name>> {
  const names = Object.keys(wanted) as Name[]
  const rows = Object.fromEntries(names.map((name) => [name, [] as Row[]])) as Tables<Name>
  let kept = 0
  const reader = createDumpReader(
    (table) => Object.hasOwn(wanted, table),
    (table, row) => {
      const { columns, more = [] } = wanted[table as Name]
      const missing = columns.find((column) => !Object.hasOwn(row, column))
      if (missing !== undefined) throw new DumpError(`table ${table} of the dump has no column ${missing}`)
      const own = Object.fromEntries([...columns, ...more].map((column) => [column, row[column] ?? null]))
      for (const value of Object.values(own)) kept += 16 + (value?.length ?? 0)
      if (kept > mostKept) throw new DumpError('the tables of the dump hold more than 1 GiB')
      rows[table as Name].push(own)
    },
  )
  for await (const chunk of openDump(file)) reader.push(chunk)
  const defined = reader.end()
  for (const name of names) {
    const { columns, isOptional } = wanted[name]
    const has = defined.get(name)
    if (has === undefined && rows[name].length === 0) {
      if (isOptional) continue
      throw new DumpError(`the dump has no table ${name}: is it a whole dump of that system?`)
    }
    const missing = has === undefined ? undefined : columns.find((column) => !has.includes(column))
    if (missing !== undefined) throw new DumpError(`table ${name} of the dump has no column ${missing}`)
  }
  return rows
}

async function* openDump(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file, { highWaterMark: 256 * 1024 })
  if (!(await isPacked(file))) {
    yield* source as AsyncIterable<Buffer>
    return
  }
  const unpacked = pipeline(source, createGunzip(), () => undefined) // its reader is told
  try {
    yield* unpacked as AsyncIterable<Buffer>
  } catch (error) {
    throw new DumpError('the dump cannot be unpacked: it is damaged, or not whole', { cause: error })
  }
}

async function isPacked(file: string): Promise<boolean> {
  for await (const chunk of createReadStream(file, { end: 1 }) as AsyncIterable<Buffer>)
    return chunk.length === 2 && chunk.readUInt16BE() === 0x1f8b
  return false
}
