/** The reader of dumps: what was written is read again, however it is cut, and nothing but a dump passes for one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DumpTable, writeDump } from '../../../../../tests/support/imports/dump-writer.ts'
import { createDumpReader, DumpError, readDump, type Row } from './mysql-dump.ts'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'ws-dumps-'))))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function readIn(pieces: readonly Buffer[], wants: (table: string) => boolean = () => true) {
  const rows: [string, Row][] = []
  const reader = createDumpReader(wants, (table, row) => rows.push([table, row]))
  for (const piece of pieces) reader.push(piece)
  return { columns: reader.end(), rows }
}
const read = (sql: string) => readIn([Buffer.from(sql)])

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}

const word = fc.oneof(fc.string({ minLength: 1, maxLength: 8 }), fc.constantFrom('key', 'a`b', 'check', 'w;x'))
const name = word.filter((text) => !text.includes('.') && !text.includes('\0') && text.isWellFormed())
const cell = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
  fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.toWellFormed()),
  fc.constantFrom("it's", 'a\\b', '\0\n\r\u001a"', '100\\%', "''", '-- no comment', '/* none */', '),(', ';', 'NULL'),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
)
const table = fc.tuple(name, fc.uniqueArray(name, { minLength: 1, maxLength: 5 })).chain(([title, columns]) =>
  fc.record({
    name: fc.constant(title),
    columns: fc.constant(columns.map((column) => ({ name: column, type: "enum('a,b','c)') DEFAULT (1)" }))),
    rows: fc.array(fc.array(cell, { minLength: columns.length, maxLength: columns.length }), { maxLength: 6 }),
  }),
)
const tables = fc.uniqueArray(table, { minLength: 1, maxLength: 3, selector: (one) => one.name })

const shown = (value: DumpTable['rows'][number][number]) => (typeof value === 'number' ? String(value) : value)
const expected = (written: readonly DumpTable[]) =>
  written.flatMap(({ name: title, columns, rows }) =>
    rows.map((row) => [title, Object.fromEntries(columns.map((column, at) => [column.name, shown(row[at] ?? null)]))]),
  )

describe('a dump', () => {
  test('is read as it was written, however it is cut', () => {
    fc.assert(
      fc.property(
        tables,
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        (written, sizes, withTriggers) => {
          const { rows, columns } = readIn(cut(writeDump(written, { withTriggers }), sizes))
          expect(rows).toEqual(expected(written))
          for (const one of written) expect(columns.get(one.name)).toEqual(one.columns.map((column) => column.name))
        },
      ),
    )
  })

  test('says so where it breaks off, whatever it lacks', () => {
    const whole = writeDump([{ name: 'users', columns: [{ name: 'id', type: 'int' }], rows: [[1], ['a;b'], [null]] }])
    const ends = whole.lastIndexOf(';\n/*!40000') + 1
    for (let at = whole.indexOf('INSERT') + 2; at < ends - 1; at++)
      expect(() => readIn([whole.subarray(0, at)]), whole.subarray(0, at).toString().slice(-30)).toThrow(DumpError)
  })

  test('of nonsense is refused, and never loops', () => {
    const piece = fc.constantFrom(
      ...'INSERT INTO|CREATE TABLE|VALUES|(|)|,|;|`a`|users|1|"|\\|\'|/*|*/|--|\n|DELIMITER|NULL|x'.split('|'),
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece).map((pieces) => Buffer.from(pieces.join(' '))),
          fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        ),
        (bytes) => {
          try {
            readIn(cut(bytes, [1, 3, 7]))
          } catch (error) {
            expect(error).toBeInstanceOf(DumpError)
          }
        },
      ),
    )
  })

  test('of other programs is read too', () => {
    const { rows } = read(
      `# phpMyAdmin
      CREATE TABLE IF NOT EXISTS panel.users (\`id\` bit(8), name text, key k (name)) PARTITION BY HASH (\`id\`);
      create unique index u on users (other);
      insert ignore into \`panel\`.\`users\` (\`id\`, \`name\`) values (b'101', N'x'), (0x41, _utf8mb4 'it''s'),
      (x'4142', "double ""quoted""") on duplicate key update name = values(name);
      replace into users value (-1.5e-3, '\\%\\_\\q')`.concat(';'),
    )
    expect(rows.map(([, row]) => row)).toEqual([
      { id: '5', name: 'x' },
      { id: Buffer.from('A'), name: "it's" },
      { id: Buffer.from('AB'), name: 'double "quoted"' },
      { id: '-1.5e-3', name: '\\%\\_q' },
    ])
  })

  test.each([
    ['INSERT INTO users VALUES (1);', /does not say their columns/],
    ['CREATE TABLE users (id int); INSERT INTO users VALUES (1, 2);', /row 1 of users has 2 values/],
    ['CREATE TABLE users (id int); INSERT INTO users VALUES (now());', /no value|expression/],
    ['CREATE TABLE users (id int); INSERT INTO users VALUES (1 2);', /no comma/],
    ['', /nothing in this file/],
  ])('%s: what is wrong is named', (sql, message) => {
    expect(() => read(sql)).toThrow(message)
  })

  test('keeps nothing of tables that nobody wants', () => {
    const large = 'x'.repeat(17 * 1024 * 1024)
    const sql = `CREATE TABLE logs (a text); INSERT INTO logs VALUES ('${large}'); CREATE TABLE u (id int); INSERT INTO u VALUES (3);`
    const pieces = cut(Buffer.from(sql), [64 * 1024])
    expect(readIn(pieces, (title) => title === 'u').rows).toEqual([['u', { id: '3' }]])
    expect(() => readIn(pieces)).toThrow(/larger than 16 MiB/)
  })
})

describe('the tables that are wanted', () => {
  const dump = writeDump([
    {
      name: 'users',
      columns: [
        { name: 'id', type: 'int' },
        { name: 'email', type: 'text' },
        { name: 'more', type: 'text' },
      ],
      rows: [[1, 'a@example.test', 'x']],
    },
  ])
  const save = (title: string, bytes: Buffer) => {
    const file = join(folder, title)
    writeFileSync(file, bytes)
    return file
  }

  test.each([
    ['plain.sql', dump],
    ['packed.sql.gz', gzipSync(dump)],
  ])('of %s come with their columns', async (title, bytes) => {
    const wanted = { users: { columns: ['id', 'email'], more: ['role'] }, gone: { columns: ['id'], isOptional: true } }
    expect(await readDump(save(title, bytes), wanted)).toEqual({
      users: [{ id: '1', email: 'a@example.test', role: null }],
      gone: [],
    })
  })

  test('a table or a column that is missing is named', async () => {
    const file = save('some.sql', dump)
    await expect(readDump(file, { servers: { columns: ['id'] } })).rejects.toThrow('the dump has no table servers')
    await expect(readDump(file, { users: { columns: ['uuid'] } })).rejects.toThrow(
      'table users of the dump has no column uuid',
    )
    const broken = save('broken.sql.gz', gzipSync(dump).subarray(0, 200))
    await expect(readDump(broken, { users: { columns: ['id'] } })).rejects.toThrow(DumpError)
  })
})
