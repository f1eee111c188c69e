/** Files that are shown as trees. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compoundOf, listOf, writeNbt } from '@wakestone/minecraft/nbt'
import { treeSchema } from '@wakestone/protocol/files'
import { startService } from './test-support/service.ts'
import { isLong } from '../../../tests/support/long.ts'

const level = compoundOf({
  LevelName: { type: 'string', value: 'My world' },
  Seed: { type: 'long', value: -5_000_000_000_000_000_000n },
  spawn: { type: 'intArray', value: Int32Array.of(1, -2, 3) },
  Players: listOf([{ type: 'byte', value: 1 } as const, { type: 'byte', value: 2 } as const]),
})

function makeDatabase(path: string, script: string): void {
  using database = new DatabaseSync(path)
  database.exec(script)
}

/** A region with one chunk at 1, 2. */
function makeRegion(): Buffer {
  const data = deflateSync(writeNbt(level, { name: '' }))
  const bytes = Buffer.alloc(3 * 4096)
  bytes.writeUInt32BE((2 << 8) | 1, (2 * 32 + 1) * 4)
  bytes.writeUInt32BE(1_700_000_000, 4096 + (2 * 32 + 1) * 4)
  bytes.writeUInt32BE(data.length + 1, 8192)
  bytes[8196] = 2
  data.copy(bytes, 8197)
  return bytes
}

test('NBT, regions and databases are told as trees', { timeout: 60_000 }, async () => {
  const { data, ask, lay } = await startService()
  lay({ 'level.dat': gzipSync(writeNbt(level, { name: 'root' })), 'region/r.0.-1.mca': makeRegion() })
  const script = `create table players (id integer primary key, name text, data blob); insert into players values (9007199254740993, 'Steve', x'0102'), (2, null, null); create table "odd ""name" (x); create view v as select * from players; create virtual table f using fts5(a);`
  makeDatabase(join(data, 'plugin.db'), script)
  const read = async (query: string) => treeSchema.parse((await ask('GET', `/v1/tree?path=${query}`)).json)

  expect(await read('level.dat')).toEqual({
    kind: 'nbt',
    edition: 'java',
    compression: 'gzip',
    truncated: false,
    root: {
      name: 'root',
      type: 'compound',
      size: 4,
      nodes: [
        { name: 'LevelName', type: 'string', value: 'My world' },
        { name: 'Seed', type: 'long', value: '-5000000000000000000' },
        { name: 'spawn', type: 'intArray', size: 3, value: '1 -2 3' },
        {
          name: 'Players',
          type: 'list',
          size: 2,
          nodes: [
            { name: '', type: 'byte', value: '1' },
            { name: '', type: 'byte', value: '2' },
          ],
        },
      ],
    },
  })
  expect(await read('region/r.0.-1.mca')).toEqual({
    kind: 'region',
    chunks: [{ x: 1, z: 2, bytes: 4096, writtenAt: 1_700_000_000_000 }],
    damaged: [],
  })
  expect(await read('region/r.0.-1.mca&chunk=1,2')).toMatchObject({ kind: 'nbt', root: { size: 4 } })
  expect((await ask('GET', '/v1/tree?path=region/r.0.-1.mca&chunk=2,2')).json).toEqual({ error: 'file_does_not_exist' })
  const tables = await read('plugin.db')
  expect(tables).toMatchObject({ kind: 'tables' })
  expect((tables as { tables: unknown[] }).tables).toEqual(
    expect.arrayContaining([
      { name: 'odd "name', rows: 0 },
      { name: 'players', rows: 2 },
    ]),
  )
  expect(await read('plugin.db&table=players')).toEqual({
    kind: 'rows',
    table: 'players',
    columns: ['id', 'name', 'data'],
    rows: [
      ['2', null, null],
      ['9007199254740993', 'Steve', '<2 bytes>'],
    ],
    from: 0,
    total: 2,
  })
  expect(await read('plugin.db&table=players&from=1')).toMatchObject({
    rows: [['9007199254740993', 'Steve', '<2 bytes>']],
  })
  for (const table of ['v', 'sqlite_schema', 'none', 'players"; drop table players; --'])
    expect((await ask('GET', `/v1/tree?path=plugin.db&table=${encodeURIComponent(table)}`)).json).toEqual({
      error: 'file_does_not_exist',
    })
  expect(
    execFileSync('ls', [data])
      .toString()
      .split('\n')
      .filter((name) => name.startsWith('plugin')),
  ).toEqual(['plugin.db'])
})

test.runIf(isLong)(
  'files that are made to do harm cost little, and the service goes on',
  { timeout: 60_000 },
  async () => {
    const { ask, lay, data } = await startService()
    lay({
      'bomb.dat': gzipSync(Buffer.alloc(200_000_000)),
      'text.dat': 'no tree',
      'empty.dat': '',
      'short.db': 'SQLite format 3\0 and no more',
      'many.dat': gzipSync(
        writeNbt(listOf(Array.from({ length: 100_000 }, () => ({ type: 'byte', value: 1 }) as const)), { name: '' }),
      ),
    })
    const script = `create table t (x); with recursive n(i) as (select 1 union all select i + 1 from n where i < 100) insert into t select i from n; create table huge (x, y generated always as (hex(zeroblob(400000000))) virtual); insert into huge (x) values (1);`
    makeDatabase(join(data, 'odd.db'), script)
    for (const path of ['bomb.dat', 'text.dat', 'empty.dat', 'short.db'])
      expect([path, (await ask('GET', `/v1/tree?path=${path}`)).json]).toEqual([
        path,
        { error: 'invalid_file', fields: { reason: 'damaged' } },
      ])
    expect(treeSchema.parse((await ask('GET', '/v1/tree?path=many.dat')).json)).toMatchObject({
      truncated: true,
      root: { size: 100_000 },
    })
    // Refused for its size or for the time it takes, whichever limit is reached first.
    expect((await ask('GET', '/v1/tree?path=odd.db&table=huge')).json).toEqual({
      error: 'invalid_file',
      fields: { reason: expect.stringMatching(/^(damaged|time)$/) },
    })
    const region = makeRegion()
    const database = execFileSync('cat', [join(data, 'odd.db')])
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('region', 'db'),
        fc.array(fc.tuple(fc.nat(12_000), fc.nat(255)), { minLength: 1, maxLength: 20 }),
        async (kind, changes) => {
          const bytes = Buffer.from(kind === 'db' ? database : region)
          for (const [at, value] of changes) if (at < bytes.length && at >= 16) bytes[at] = value
          lay({ 'r.0.0.mca': bytes, 'x.db': bytes })
          const query = kind === 'db' ? 'x.db&table=t' : 'r.0.0.mca&chunk=1,2'
          const { status, json } = await ask('GET', `/v1/tree?path=${query}`)
          if (status === 200) treeSchema.parse(json)
          else expect(['invalid_file', 'file_does_not_exist']).toContain(json.error)
        },
      ),
      { numRuns: 3 },
    )
  },
)
