/** What belongs to a backup of the business besides the database, and where it lies in DATA_DIR. */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type Settings, settingsTable } from '@wakestone/kit/settings'
import { BusinessRefused, type Env } from './archive.ts'

/** In DATA_DIR, while a backup is made or read: the database, the settings, and files that settings name. */
export const workFolder = 'business-backup'
/** What can be made anew, is worth nothing elsewhere, or is kept by itself: worlds of servers, by their own backups. */
const leftOut = [
  workFolder,
  'postgres',
  'servers',
  'supervisors',
  'files-services',
  'digests',
  'cache',
  'logs',
  'reserve',
  'restored-settings',
  'standalone.lock',
  'standalone.parts.json',
]
const optional = { withMaps: 'maps', withServerBackups: 'backups' } as const
export type Wanted = { [Name in keyof typeof optional]: boolean }
/** What an empty DATA_DIR may hold. */
const harmless = ['cache', 'logs']

/** Settings that are another machine's rightly. */
const ofMachine = ['DATA_DIR', 'DATABASE_URL']

/** Names of files that settings lead to, and nobody else has. */
const namedFiles = [
  'MAIL_DKIM_KEY_FILE',
  'BACKUP_SSH_KEY_FILE',
  'BACKUP_KNOWN_HOSTS_FILE',
  'BEDROCK_TLS_CERT',
  'BEDROCK_TLS_KEY',
] as const satisfies readonly (keyof Settings)[]

/** What of DATA_DIR is kept: everything that is not known to be of no use, so that nothing new is forgotten. */
export async function listKept({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>, wanted: Wanted): Promise<string[]> {
  const unwanted: string[] = (Object.keys(optional) as (keyof Wanted)[])
    .filter((name) => !wanted[name])
    .map((name) => optional[name])
  const names = await readdir(DATA_DIR)
  return [...names.filter((name) => !leftOut.includes(name) && !unwanted.includes(name)).sort(), workFolder]
}

/** Takes the work folder, emptied. @throws BusinessRefused while somebody else works in it. */
export async function takeWorkFolder({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): Promise<string> {
  const folder = join(DATA_DIR, workFolder)
  const holder = Number(await readFile(join(folder, 'process'), 'utf8').catch(() => '0'))
  if (holder !== 0 && isAlive(holder)) throw new BusinessRefused(`Process ${holder} makes a backup already.`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, 'process'), String(process.pid))
  return folder
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Settings as they were given, with their secrets. */
export async function keepSettings(settings: Settings, env: Env, folder: string): Promise<void> {
  const given = Object.keys(settingsTable).flatMap((name) => (env[name] ? [[name, env[name]] as const] : []))
  await writeFile(join(folder, 'settings.json'), JSON.stringify(Object.fromEntries(given), null, 1), { mode: 0o600 })
  await mkdir(join(folder, 'files'), { mode: 0o700 })
  for (const name of namedFiles) {
    const path = settings[name]
    if (path !== undefined) await copyFile(path, join(folder, 'files', name))
  }
}

/** @throws BusinessRefused unless nothing is there that a restore would mix with. */
export async function requireEmptyFolder({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>): Promise<void> {
  await mkdir(DATA_DIR, { recursive: true, mode: 0o755 })
  const found = (await readdir(DATA_DIR)).filter((name) => !harmless.includes(name))
  if (found.length > 0)
    throw new BusinessRefused(
      `${resolve(DATA_DIR)} is not empty (it has ${found.slice(0, 3).join(', ')}): nothing is overwritten, set DATA_DIR to an empty folder.`,
    )
}

/** Lays what was set beside what is set now, for the operator to read. @returns names that are not set as they were */
export async function layOutSettings({ DATA_DIR }: Pick<Settings, 'DATA_DIR'>, env: Env): Promise<string[]> {
  const from = join(DATA_DIR, workFolder)
  const to = join(DATA_DIR, 'restored-settings')
  const given = JSON.parse(await readFile(join(from, 'settings.json'), 'utf8')) as Record<string, string>
  await mkdir(to, { recursive: true, mode: 0o700 })
  const lines = Object.entries(given).map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
  await writeFile(join(to, 'settings.env'), lines.join(''), { mode: 0o600 })
  for (const name of await readdir(join(from, 'files'))) await copyFile(join(from, 'files', name), join(to, name))
  return Object.keys(given).filter((name) => !ofMachine.includes(name) && env[name] !== given[name])
}
