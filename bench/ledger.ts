/**
 * Ledger postings over 1 000 wallets against pgbench's TPC-B on the same PostgreSQL, 8 clients each, by the same
 * pgbench, in turns. Prints a line of JSON per figure: {name, value, unit, reach, ok}.
 *
 * Both speak the protocol as the application does: parameters apart, statements without names. The ratio with named
 * statements, which spare TPC-B the planning of five statements and a posting that of one, is told beside it.
 * `LEDGER_BENCH_SECONDS` is the length of one turn.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { migrate } from '../apps/server/src/db/migrate.ts'
import { startPostgres } from '../apps/standalone/src/postgres.ts'
import { median } from './fixtures/median.ts'

const run = promisify(execFile)
const clients = 8
const wallets = 1000
/** TPC-B's branches: with fewer than clients it measures waiting for one row. */
const scale = 10
const turns = 5
const seconds = Number(process.env['LEDGER_BENCH_SECONDS'] ?? 3)

/**
 * A top-up, called as the application does. A colon inside a text is written by its JSON code, since pgbench would take
 * what follows for a variable; a client's keys never repeat.
 */
const script = String.raw`
\set wallet random(1, ${wallets})
\set key random(1, 9000000000000000)
select ledger_post(uuidv7(), 'bench', :key, 'DEPOSIT', ('[
  {"code": "gateway\u003abench\u003aPLN", "currency": "PLN", "amount": -100},
  {"code": "wallet\u003a' || :wallet || '", "currency": "PLN", "amount": 100}]')::jsonb, '{}', null, null);
`

type Pair = { tpcb: number; postings: number }

const pgbench = findPgbench()
if (pgbench === undefined) {
  console.error('pgbench is missing (Debian: postgresql-contrib): the ledger is not measured')
  process.exit(3)
}
const dir = mkdtempSync(join(tmpdir(), 'ws-bench-'))
const postgres = await startPostgres({
  home: join(dir, 'pg'),
  password: 'bench-only',
  logFile: join(dir, 'postgres.log'),
})
try {
  const admin = new pg.Client(postgres.url('postgres'))
  await admin.connect()
  await admin.query('create database ledger')
  await admin.query('create database tpcb')
  await admin.end()
  await migrate(postgres.url('ledger'))
  const ledger = new pg.Client(postgres.url('ledger'))
  ledger.on('error', () => undefined) // when a measurement breaks off, its own error is the one to show
  await ledger.connect()
  await ledger.query(
    `select ledger_open_account('wallet:' || n, 'PLN', true, 0) from generate_series(1, ${wallets}) as n`,
  )
  const file = join(dir, 'post.sql')
  writeFileSync(file, script)
  await run(pgbench, ['-i', '-q', '-s', String(scale), postgres.url('tpcb')])

  const modes = { extended: [] as Pair[], prepared: [] as Pair[] }
  for (let turn = 0; turn <= turns; turn++) {
    for (const mode of ['extended', 'prepared'] as const) {
      const tpcb = await measure(['-M', mode, postgres.url('tpcb')])
      const postings = await measure(['-M', mode, '-f', file, postgres.url('ledger')])
      if (turn > 0) modes[mode].push({ tpcb, postings }) // the first turn warms caches
    }
  }
  const { rows } = await ledger.query<{ sum: string; wrong: string }>(
    `select (select coalesce(sum(amount), 0) from ledger_entries)::text as sum,
       (select count(*) from ledger_accounts a where tracked
         and posted <> (select coalesce(sum(amount), 0) from ledger_entries e where e.account_id = a.id))::text as wrong`,
  )
  await ledger.end()
  if (rows[0]?.sum !== '0' || rows[0].wrong !== '0') throw new Error(`the ledger is wrong: ${JSON.stringify(rows[0])}`)

  const of = (pairs: Pair[], what: (pair: Pair) => number) => median(pairs.map(what))
  const ratio = of(modes.extended, ({ postings, tpcb }) => postings / tpcb)
  const named = of(modes.prepared, ({ postings, tpcb }) => postings / tpcb)
  print({
    name: 'ledger: pgbench TPC-B, 8 clients',
    value: Math.round(of(modes.extended, ({ tpcb }) => tpcb)),
    unit: 'tps',
  })
  print({
    name: 'ledger: postings over 1 000 wallets, 8 clients',
    value: Math.round(of(modes.extended, ({ postings }) => postings)),
    unit: 'tps',
  })
  print({ name: 'ledger: postings / TPC-B', value: Number(ratio.toFixed(2)), unit: 'ratio', reach: 1, ok: ratio >= 1 })
  print({ name: 'ledger: postings / TPC-B, named statements', value: Number(named.toFixed(2)), unit: 'ratio' })
  if (ratio < 1) process.exitCode = 1
} finally {
  await postgres.stop()
  rmSync(dir, { recursive: true, force: true })
}

async function measure(args: string[]): Promise<number> {
  const options = ['-n', '-c', String(clients), '-j', '2', '-T', String(seconds)]
  const { stdout } = await run(pgbench as string, [...options, ...args])
  const rate = /tps = ([\d.]+)/.exec(stdout)?.[1]
  const failed = /failed transactions: (\d+)/.exec(stdout)?.[1] ?? '0'
  if (rate === undefined || failed !== '0') throw new Error(`pgbench: ${stdout}`)
  return Number(rate)
}

function findPgbench(): string | undefined {
  const root = '/usr/lib/postgresql'
  const installed = existsSync(root) ? readdirSync(root).sort().toReversed() : []
  return installed.map((version) => join(root, version, 'bin/pgbench')).find((path) => existsSync(path))
}

function print(figure: { name: string; value: number; unit: string; reach?: number; ok?: boolean }) {
  console.log(JSON.stringify(figure))
}
