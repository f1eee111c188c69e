/** Brings customers, their servers and their balances over from other systems. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createLocks } from '#src/db/locks.ts'
import type { Context } from '#src/context.ts'
import { bringAccounts } from './accounts.ts'
import { bringBalances } from './balances.ts'
import { bringDatabases } from './databases.ts'
import { bringFiles } from './files.ts'
import type { Found, System } from './model.ts'
import type { ImportOptions } from './options.ts'
import { countLines, type Report } from './report.ts'
import * as repo from './repo.ts'
import { bringServers } from './servers.ts'
import { readPaymenter } from './systems/paymenter.ts'
import { readPanel } from './systems/pterodactyl.ts'
import { readWhmcs } from './systems/whmcs.ts'
import { type Undone, undoRun } from './undo.ts'
import { type ImportContext, openWork } from './work.ts'

export { readEggMap } from './eggs.ts'
export { systems } from './model.ts'
export type { ImportOptions } from './options.ts'
export { describeReport } from './report.ts'
export { describeUndone } from './undo.ts'

const readers: Readonly<Record<System, (file: string) => Promise<Found>>> = {
  pterodactyl: readPanel,
  pelican: readPanel,
  whmcs: readWhmcs,
  paymenter: readPaymenter,
}

/** Another import, or the undoing of one, is under way. */
export class ImportUnderWay extends Error {}

/**
 * Each thing is made in one transaction with the note of it, so that a run that was killed is gone on with by the next,
 * and what came before is left as it is.
 * @throws DumpError for what is no dump of that system; ImportUnderWay
 */
export async function runImport(
  context: ImportContext & Pick<Context, 'databaseUrl'>,
  options: ImportOptions,
  say: (line: string) => void,
): Promise<Report> {
  return alone(context, async () => {
    const dumpHash = await hashFile(options.dump)
    const found = await readers[options.system](options.dump)
    const source = { system: options.system, origin: options.origin }
    const work = await openWork({ context, options, source, dumpHash, say })
    const ids = await bringAccounts(work, found.accounts)
    const emails = new Map(found.accounts.map(({ key, email }) => [key, email]))
    await bringBalances(work, found.balances, { ids, emails })
    await bringServers(work, found.servers, ids)
    await bringFiles(work, found.servers)
    await bringDatabases(work, found.servers)
    const totals = countLines(work.lines)
    const importId =
      work.importId() ?? (options.isDryRun ? undefined : await repo.findRunning(context.db, source)) ?? null
    if (importId !== null) await repo.endImport(context.db, importId, totals)
    return {
      ...source,
      import_id: importId,
      dry_run: options.isDryRun,
      totals,
      lines: work.lines,
      notes: [...found.notes, ...work.notes],
    }
  })
}

/** @throws DomainError `resource_not_found`; ImportUnderWay */
export function undoImport(
  context: Pick<Context, 'db' | 'boss' | 'settings' | 'logger' | 'databaseUrl'>,
  asked: { importId: string; waitMinutes: number; say: (line: string) => void },
): Promise<Undone> {
  return alone(context, () => undoRun(context, asked))
}

async function alone<Result>(
  { databaseUrl, logger }: Pick<Context, 'databaseUrl' | 'logger'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const locks = createLocks({ url: databaseUrl, logger })
  try {
    const release = await locks.tryHold('import')
    if (release === undefined) throw new ImportUnderWay('another import is under way')
    return await work()
  } finally {
    await locks.close()
  }
}

async function hashFile(file: string): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest()
}
