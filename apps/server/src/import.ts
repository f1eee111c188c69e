/**
 * `npm run import -- <pterodactyl|pelican|whmcs|paymenter> --dump FILE [--files DIR] [--dry-run]`, and `--undo RUN`:
 * brings customers and their servers over from another system. The product may run meanwhile.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { DomainError } from '@wakestone/contract/errors'
import { type Currency, walletCurrencies } from '@wakestone/contract/primitives'
import { isTimeZone } from '@wakestone/contract/time-zone'
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import { readSettingsOrExit } from '@wakestone/kit/settings'
import { DumpError } from '#src/adapters/dumps/mysql-dump.ts'
import { createEngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import { closeContext, createContext } from '#src/context.ts'
import {
  describeReport,
  describeUndone,
  ImportUnderWay,
  readEggMap,
  runImport,
  systems,
  undoImport,
} from '#src/features/admin/imports/service.ts'
import { ForeignKeys, requireOwnKeys } from '#src/features/ground/installation/service.ts'
import { localClusterId } from '#src/features/servers/clusters/service.ts'
import { allJobs } from '#src/jobs/all.ts'
import { ensureQueues } from '#src/jobs/boss.ts'

const usage = `npm run import -- SYSTEM --dump FILE [OPTIONS]     SYSTEM: ${systems.join(', ')}
npm run import -- --undo RUN

  --dump FILE        what mysqldump has written, also packed with gzip
  --files DIR        with volumes/UUID, backups/UUID.tar.gz and databases/NAME.sql
  --dry-run          writes nothing, and reports all the same
  --report FILE      the report as JSON
  --eggs FILE        JSON: for names of eggs "engine", "engine@version" or null
  --plan ID          for all servers; else each gets the nearest
  --cluster ID       where servers go; ${localClusterId} unless given
  --currency CODE    of their services: ${walletCurrencies.join(', ')}
  --days N           for how long servers are paid for; 30 unless given
  --time-zone ZONE   that schedules go by there; UTC unless given
  --from NAME        which installation it is, where several are brought in
  --wait MINUTES     for servers to be prepared, or removed; 30 unless given`

function refuse(message: string): never {
  console.error(`${message}\n\n${usage}`)
  process.exit(2)
}

const text = { type: 'string' } as const
function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        dump: text,
        files: text,
        'dry-run': { type: 'boolean', default: false },
        undo: text,
        report: text,
        eggs: text,
        plan: text,
        cluster: { ...text, default: localClusterId },
        currency: text,
        days: { ...text, default: '30' },
        'time-zone': { ...text, default: 'UTC' },
        from: { ...text, default: '' },
        wait: { ...text, default: '30' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}
const { values, positionals } = readArguments()
if (values.help) {
  console.log(usage)
  process.exit(0)
}

function wholeNumber(name: 'days' | 'wait', [least, most]: [number, number]): number {
  const given = Number(/^\d{1,6}$/.exec(values[name])?.[0] ?? Number.NaN)
  if (!(given >= least && given <= most)) refuse(`--${name} takes a whole number from ${least} to ${most}`)
  return given
}
const waitMinutes = wholeNumber('wait', [0, 10_000])
const days = wholeNumber('days', [1, 3650])

const settings = readSettingsOrExit(process.env)
if (settings.DATABASE_URL === undefined) {
  console.error('The embedded database does not run: start the product, or set DATABASE_URL.')
  process.exit(2)
}

function readOptions() {
  const system = systems.find((name) => name === positionals[0])
  if (system === undefined || positionals.length > 1) refuse('Name the system that the dump is of.')
  if (values.dump === undefined) refuse('Name the dump: --dump FILE')
  const currency = values.currency ?? (settings.DEFAULT_COUNTRY === 'PL' ? 'PLN' : 'EUR')
  if (!(walletCurrencies as readonly string[]).includes(currency)) refuse(`There are no wallets in ${currency}.`)
  if (!isTimeZone(values['time-zone'])) refuse(`${values['time-zone']} is no time zone.`)
  if (!/^[\w .-]{0,40}$/.test(values.from)) refuse('--from takes a short name')
  try {
    return {
      system,
      origin: values.from,
      dump: values.dump,
      files: values.files,
      isDryRun: values['dry-run'],
      eggs: values.eggs === undefined ? {} : readEggMap(readFileSync(values.eggs, 'utf8')),
      plan: values.plan,
      cluster: values.cluster,
      currency: currency as Currency,
      days,
      timeZone: values['time-zone'],
      waitMinutes,
    }
  } catch (error) {
    return refuse(`--eggs: ${error instanceof Error ? error.message : String(error)}`)
  }
}
const options = values.undo === undefined ? readOptions() : undefined
if (values.undo !== undefined && !/^[0-9a-f-]{36}$/.test(values.undo)) refuse('--undo takes the id of an import')

const logger = createLogger({ part: 'import', level: 'warn' })
const secrets = loadSecrets(settings.DATA_DIR)
const context = await createContext({ settings, secrets, logger, databaseUrl: settings.DATABASE_URL, role: 'api' })
const say = (line: string) => console.error(line)
try {
  await requireOwnKeys(context)
  await ensureQueues(context.boss, allJobs)
  if (options === undefined) {
    const undone = await undoImport(context, { importId: values.undo ?? '', waitMinutes, say })
    if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(undone, null, 2))
    console.log(describeUndone(undone))
    if (undone.waiting > 0) process.exitCode = 1
  } else {
    const artifactUrl = `${settings.API_URL ?? `http://127.0.0.1:${settings.HTTP_PORT}`}/artifacts`
    const engines = createEngineCatalogue({ settings, artifactUrl, logger, listPatienceMs: 30_000 })
    const report = await runImport({ ...context, engines }, options, say)
    if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(report, null, 2))
    console.log(describeReport(report))
  }
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
} finally {
  await closeContext(context)
}

/** What the operator can do something about is said in a line; anything else with where it happened. */
function explain(error: unknown): string {
  const isPlain = error instanceof DumpError || error instanceof ImportUnderWay || error instanceof ForeignKeys
  if (isPlain) return `Nothing was imported: ${error.message}.`
  if (error instanceof DomainError) {
    const known: Record<string, string> = {
      cluster_not_found: `there is no cluster ${values.cluster}`,
      cluster_is_disabled: `the cluster ${values.cluster} is disabled`,
      product_not_available: 'no plan that is on sale has a price there in that currency',
      resource_not_found: `there is no import ${values.undo}`,
    }
    return `The import ended: ${known[error.code] ?? error.code}.`
  }
  const { code, path } = error as { code?: string; path?: string }
  if (code === 'ENOENT' && path !== undefined) return `There is no file ${path}.`
  return `The import ended, and goes on where it was when it is run again: ${error instanceof Error ? error.stack : String(error)}`
}
