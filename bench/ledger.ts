/**
 * The ledger with 100 000 wallets and 10 million entries of two years in it.
 *
 * - Postings against pgbench's TPC-B on the same PostgreSQL, 8 clients each, by the same pgbench, in turns. Both speak the
 *   protocol as the application does: parameters apart, statements without names. The ratio with named statements, which
 *   spare TPC-B the planning of five statements and a posting that of one, is told beside it.
 * - A wallet, its movements and its payments through the API, and a month's reports.
 * - A month's comparison with a gateway that lists what it took: ours alone, its answers are there before.
 *
 * `LEDGER_BENCH_SECONDS` is the length of one turn, `LEDGER_BENCH_POSTINGS` how many postings fill the ledger (two and a
 * half entries each).
 */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { pathOf } from '@wakestone/contract/client'
import * as reports from '@wakestone/contract/invoicing/reports-routes'
import * as walletRoutes from '@wakestone/contract/money/wallets-routes'
import { startBenchApi, startBenchDatabase } from './fixtures/bench-product.ts'
import { fillLedger, walletIdStart } from './fixtures/full-ledger.ts'
import { reportFigure } from './fixtures/figure.ts'
import { reportLatency } from './fixtures/latency.ts'
import { median } from './fixtures/median.ts'
import { reconcileMonth } from './fixtures/reconcile-month.ts'

const run = promisify(execFile)
const clients = 8
const wallets = 100_000
/** TPC-B's branches: with fewer than clients it measures waiting for one row. Ten of them have a million accounts. */
const scale = 10
const turns = 5
const seconds = Number(process.env['LEDGER_BENCH_SECONDS'] ?? 3)
const postings = Number(process.env['LEDGER_BENCH_POSTINGS'] ?? 4_000_000)
const pageAllowed = 20
const reportAllowed = 10

/**
 * A top-up, called as the application does. A colon inside a text is written by its JSON code, since pgbench would take
 * what follows for a variable; a client's keys never repeat.
 */
const script = String.raw`
\set wallet random(1, ${wallets})
\set key random(1, 9000000000000000)
select ledger_post(uuidv7(), 'payment', :key, 'DEPOSIT', ('[
  {"code": "gateway\u003apayu\u003aPLN", "currency": "PLN", "amount": -100},
  {"code": "wallet\u003a${walletIdStart}' || lpad(:wallet::text, 12, '0') || '", "currency": "PLN", "amount": 100}]')::jsonb, '{}', null, null);
`

type Pair = { tpcb: number; postings: number }

const pgbench = findPgbench()
if (pgbench === undefined) {
  console.error('pgbench is missing (Debian: postgresql-contrib): the ledger is not measured')
  process.exit(3)
}
const product = await startBenchDatabase()
try {
  const ledger = new pg.Client(product.databaseUrl)
  ledger.on('error', () => undefined) // when a measurement breaks off, its own error is the one to show
  await ledger.connect()
  product.defer(() => ledger.end())
  await ledger.query('create database tpcb')
  const started = performance.now()
  await fillLedger(ledger, { wallets, postings })
  console.log(`filled in ${Math.round((performance.now() - started) / 1000)} s`)
  const file = join(product.dataDir, 'post.sql')
  writeFileSync(file, script)
  const tpcbUrl = product.url('tpcb')
  await run(pgbench, ['-i', '-q', '-s', String(scale), tpcbUrl])

  const modes = { extended: [] as Pair[], prepared: [] as Pair[] }
  for (let turn = 0; turn <= turns; turn++) {
    for (const mode of ['extended', 'prepared'] as const) {
      const tpcb = await measure(['-M', mode, tpcbUrl])
      const posted = await measure(['-M', mode, '-f', file, product.databaseUrl])
      if (turn > 0) modes[mode].push({ tpcb, postings: posted }) // the first turn warms caches
    }
  }
  const { rows } = await ledger.query<{ sum: string; wrong: string }>(
    `select (select sum(amount) from ledger_entries)::text as sum,
       (select count(*) from ledger_accounts a join (
          select account_id, sum(amount) as amount from ledger_entries where account_version is not null group by 1
        ) e on e.account_id = a.id where a.posted <> e.amount)::text as wrong`,
  )
  if (rows[0]?.sum !== '0' || rows[0].wrong !== '0') throw new Error(`the ledger is wrong: ${JSON.stringify(rows[0])}`)

  const of = (pairs: Pair[], what: (pair: Pair) => number) => median(pairs.map(what))
  const ratio = of(modes.extended, (pair) => pair.postings / pair.tpcb)
  const named = of(modes.prepared, (pair) => pair.postings / pair.tpcb)
  const speed = (what: keyof Pair) => Math.round(of(modes.extended, (pair) => pair[what]))
  reportFigure('ledger: pgbench TPC-B, 8 clients', speed('tpcb'), 'tps')
  reportFigure('ledger: postings over 100 000 wallets, 8 clients', speed('postings'), 'tps')
  reportFigure('ledger: postings / TPC-B', ratio, 'ratio', { atLeast: 1 })
  reportFigure('ledger: postings / TPC-B, named statements', named, 'ratio')

  // What the yardstick has left to be written and tidied is no part of what follows.
  await ledger.query('drop database tpcb')
  await ledger.query('checkpoint')
  const api = await startBenchApi(product, 'admin')
  const some = Array.from({ length: 300 }, (_, index) => {
    const number = (index * 7919 * 13) % wallets
    return { params: { id: walletIdStart + String(number + 1).padStart(12, '0') } }
  })
  for (const [name, paths] of [
    ['balance', some.map((one) => pathOf(walletRoutes.getWallet, one))],
    ['movements', some.map((one) => pathOf(walletRoutes.listWalletLogs, one))],
    ['payments', some.map((one) => pathOf(walletRoutes.listWalletTransactions, one))],
  ] as const)
    await reportLatency(`a wallet of 100 000: ${name}`, api, { paths, allowed: pageAllowed })
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
  for (const [name, query, reach] of [
    ['a month', { from: day(31), to: day(1), currency: 'PLN' as const }, { atMost: reportAllowed }],
    ['two years', { from: day(729), to: day(1), currency: 'PLN' as const }, undefined],
  ] as const) {
    for (const [kind, route] of [
      ['revenue', reports.getRevenueReport],
      ['tax', reports.getTaxReport],
    ] as const) {
      const begun = performance.now()
      await api.call(route as typeof reports.getRevenueReport, { query })
      reportFigure(`report of ${kind}, ${name}`, (performance.now() - begun) / 1000, 's', reach)
    }
  }
  const { compared, seconds: taken } = await reconcileMonth(product, ledger)
  reportFigure(`reconciliation of a month, ${compared} payments`, taken, 's', { atMost: reportAllowed })
} finally {
  await product.stop()
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
