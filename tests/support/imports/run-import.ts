/** Runs `npm run import` as its operator does, on the database and the folder of a test's API. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createEngineCatalogue } from '../../../apps/server/src/adapters/engines/catalogue.ts'
import type { Report } from '../../../apps/server/src/features/admin/imports/report.ts'
import { type ImportOptions, runImport, undoImport } from '../../../apps/server/src/features/admin/imports/service.ts'
import type { TestApi } from '../api.ts'

const program = resolve(import.meta.dirname, '../../../apps/server/src/import.ts')

export type ImportRun = { code: number | null; out: string; errors: string; report: Report | undefined }

export function openImports(api: TestApi, env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'ws-import-'))
  let runs = 0

  /** @param killAfter milliseconds after which it is killed */
  function run(args: string[], { killAfter }: { killAfter?: number } = {}): Promise<ImportRun> {
    const reportFile = join(folder, `report-${++runs}.json`)
    const child = spawn(process.execPath, [program, ...args, '--report', reportFile], {
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_ENV: 'test',
        DATABASE_URL: api.context.databaseUrl,
        DATA_DIR: api.dataDir,
        API_URL: api.origin,
        DEFAULT_COUNTRY: 'PL',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = { out: '', errors: '' }
    child.stdout.on('data', (text: Buffer) => (said.out += text))
    child.stderr.on('data', (text: Buffer) => (said.errors += text))
    const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter)
    return new Promise((done) => {
      child.once('close', (code) => {
        clearTimeout(timer)
        let report: Report | undefined
        try {
          report = JSON.parse(readFileSync(reportFile, 'utf8')) as Report
        } catch {
          // It ended before it had one.
        }
        done({ code, ...said, report })
      })
    })
  }

  return {
    folder,
    run,
    /** The same in this process, which is up already. */
    bring(system: ImportOptions['system'], file: string, more: Partial<ImportOptions> = {}): Promise<Report> {
      const { context } = api
      const engines = createEngineCatalogue({ settings: context.settings, artifactUrl: `${api.origin}/artifacts` })
      const options: ImportOptions = {
        system,
        origin: '',
        dump: file,
        files: undefined,
        isDryRun: false,
        eggs: {},
        plan: undefined,
        cluster: 'local',
        currency: 'PLN',
        days: 30,
        timeZone: 'UTC',
        waitMinutes: 0,
        ...more,
      }
      return runImport({ ...context, engines }, options, () => undefined)
    },
    undo: (importId: string | null) =>
      undoImport(api.context, { importId: importId ?? '', waitMinutes: 0, say: () => undefined }),
    /** @returns the file */
    save(name: string, content: Buffer | string): string {
      const file = join(folder, name)
      writeFileSync(file, content)
      return file
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** How many rows each table has that an import may write to, and what is in the ledger. */
export async function countEverything({ context: { db } }: TestApi): Promise<Record<string, number>> {
  const tables = [
    'users',
    'servers',
    'services',
    'domains',
    'schedules',
    'user_capabilities',
    'transactions',
    'ledger_entries',
    'audit_events',
    'imports',
    'import_items',
    'notifications',
  ] as const
  const counts: Record<string, number> = {}
  for (const table of tables) {
    const { count } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    counts[table] = count
  }
  return counts
}
