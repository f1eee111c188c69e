/**
 * The whole business in one backup: database, keys, settings, and what customers have sent; and back from it on an empty
 * machine. Worlds of servers have backups of their own, which are found by what is in the database.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Logger } from '@wakestone/kit/logger'
import { loadSecrets } from '@wakestone/kit/secrets'
import type { Settings } from '@wakestone/kit/settings'
import { z } from 'zod'
import { closeContext, createContext } from '#src/context.ts'
import { openDatabase } from '#src/db/client.ts'
import { dumpDatabase, DumpRefused, loadDump } from '#src/db/dump.ts'
import { requireOwnKeys } from '#src/features/ground/installation/service.ts'
import { findLedgerFaults } from '#src/features/money/ledger/service.ts'
import { listRecoverable, recoverServers, resetForRecovery } from '#src/features/servers/backups/service.ts'
import { allJobs } from '#src/jobs/all.ts'
import { ensureQueues } from '#src/jobs/boss.ts'
import { BusinessRefused, type Env, openArchive } from './archive.ts'
import {
  keepSettings,
  layOutSettings,
  listKept,
  requireEmptyFolder,
  takeWorkFolder,
  type Wanted,
  workFolder,
} from './contents.ts'

const manifestSchema = z.object({ format: z.literal(1), made_at: z.string(), data_dir: z.string() })
type Say = (line: string) => void
type Deps = { settings: Settings; env: Env; say: Say }

/** The product may run meanwhile. @returns the id of the snapshot */
export async function backUpBusiness(
  { settings, env, say }: Deps,
  { to, databaseUrl, ...wanted }: Wanted & { to: string; databaseUrl: string },
): Promise<string> {
  const archive = await openArchive(settings, to, env)
  const secrets = loadSecrets(settings.DATA_DIR)
  const database = openDatabase({ url: databaseUrl, size: 2, onError: () => undefined })
  const folder = await takeWorkFolder(settings)
  try {
    await requireOwnKeys({ db: database.db, secrets, settings })
    const contents = await dumpDatabase(databaseUrl, join(folder, 'database'))
    const rows = contents.tables.reduce((sum, table) => sum + table.rows, 0)
    say(`database: ${rows} rows of ${contents.tables.length} tables`)
    await keepSettings(settings, env, folder)
    const servers = await listRecoverable(database.db)
    const manifest = { format: 1, made_at: new Date().toISOString(), data_dir: resolve(settings.DATA_DIR), servers }
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 1), { mode: 0o600 })
    tellAboutServers(servers, { settings, say }, wanted)
    const { snapshot, unread } = await archive.keep(await listKept(settings, wanted))
    for (const fault of unread.slice(0, 10)) say(`! ${fault}`)
    say(`snapshot ${snapshot} in ${to}`)
    return snapshot
  } finally {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function tellAboutServers(
  servers: Awaited<ReturnType<typeof listRecoverable>>,
  { settings, say }: Pick<Deps, 'settings' | 'say'>,
  { withServerBackups }: Wanted,
): void {
  const without = servers.filter(({ backup_at }) => backup_at === null)
  say(`servers: ${servers.length}, of which ${servers.length - without.length} have backups of their own`)
  if (without.length > 0)
    say(
      `! no backup has the files of ${without
        .map(({ name }) => name)
        .slice(0, 10)
        .join(', ')}${without.length > 10 ? ', …' : ''}`,
    )
  const home = `${resolve(settings.DATA_DIR)}/`
  const here = servers.filter(({ location }) => location?.startsWith(home))
  if (here.length > 0 && !withServerBackups)
    say(
      `! backups of ${here.length} servers lie in DATA_DIR of this machine and are lost with it: set BACKUP_STORAGE to ` +
        'a place elsewhere, or take them along by --with-server-backups',
    )
}

/** First step: everything but the database, into an empty DATA_DIR. */
export async function restoreFiles(
  { settings, env, say }: Deps,
  { from, snapshot }: { from: string; snapshot: string },
): Promise<void> {
  await requireEmptyFolder(settings)
  const archive = await openArchive(settings, from, env)
  await archive.bringBack(snapshot)
  await readManifest(settings)
  const differing = await layOutSettings(settings, env)
  say(`files: in ${settings.DATA_DIR}`)
  if (differing.length > 0)
    say(
      `! not set as when the backup was made: ${differing.join(', ')}. What they were is in ${join(settings.DATA_DIR, 'restored-settings')}; ` +
        'set what should go on, then delete that folder: it holds secrets',
    )
}

async function readManifest({ DATA_DIR }: Settings) {
  const text = await readFile(join(DATA_DIR, workFolder, 'manifest.json'), 'utf8').catch(() => {
    throw new BusinessRefused(
      `There is no backup of the business in ${DATA_DIR}/${workFolder}: nothing was restored there.`,
    )
  })
  return manifestSchema.parse(JSON.parse(text))
}

/**
 * Second step: the database, into an empty one, and a restore begun for every server that has a backup, which a worker
 * does once it is started. @returns whether the books are right
 */
export async function restoreDatabase(
  { settings, say, logger }: Omit<Deps, 'env'> & { logger: Logger },
  databaseUrl: string,
): Promise<boolean> {
  const manifest = await readManifest(settings)
  try {
    const contents = await loadDump(databaseUrl, join(settings.DATA_DIR, workFolder, 'database'), (query) =>
      resetForRecovery(query, { from: manifest.data_dir, to: resolve(settings.DATA_DIR) }),
    )
    say(`database: ${contents.tables.reduce((sum, table) => sum + table.rows, 0)} rows, as of ${manifest.made_at}`)
  } catch (error) {
    if (error instanceof DumpRefused) throw new BusinessRefused(error.message)
    throw error
  }
  const context = await createContext({
    settings,
    secrets: loadSecrets(settings.DATA_DIR),
    logger,
    databaseUrl,
    role: 'api',
  })
  try {
    await requireOwnKeys(context)
    await ensureQueues(context.boss, allJobs)
    const { begun, without } = await recoverServers(context)
    say(`servers: ${begun.length} get their files back from their last backups once the product is started`)
    if (without.length > 0)
      say(`! no backup has the files of ${without.join(', ')}: they stay off, and begin anew when they are started`)
    const faults = await findLedgerFaults(context.database.pool)
    for (const [rule, rows] of Object.entries(faults)) say(`! the books are wrong: ${rule}: ${JSON.stringify(rows)}`)
    await rm(join(settings.DATA_DIR, workFolder), { recursive: true })
    if (Object.keys(faults).length > 0) return false
    say('books: every rule of the ledger holds')
    return true
  } finally {
    await closeContext(context)
  }
}
