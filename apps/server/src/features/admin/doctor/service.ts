/**
 * Looks at a running installation from outside and inside, changes nothing, and says what is wrong, why that matters and
 * what to do. What the health page knows is asked there.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createLogger } from '@wakestone/kit/logger'
import { loadSecrets, type Secrets } from '@wakestone/kit/secrets'
import { readSettings, type Settings, SettingsError } from '@wakestone/kit/settings'
import { createFleet } from '#src/adapters/clusters/fleet.ts'
import { openDatabase } from '#src/db/client.ts'
import { checkBackupStorage } from '#src/features/servers/backups/service.ts'
import { readHealth } from '../health/service.ts'
import { checkCertificates, checkDatabase } from './database-checks.ts'
import { type Diagnosis, diagnosisOf, type Finding, finding, ok } from './findings.ts'
import { checkBackups, checkFolder, checkWalls } from './machine-checks.ts'
import {
  checkApi,
  checkCertificate,
  checkGateway,
  checkInternet,
  checkMail,
  checkNames,
  checkPayments,
} from './outside-checks.ts'
import { findingsOfHealth } from './trouble-words.ts'

export { describeDiagnosis, type Diagnosis, statusOf } from './findings.ts'

type Env = Record<string, string | undefined>

export async function diagnose(env: Env, now = new Date()): Promise<Diagnosis> {
  let settings: Settings
  try {
    settings = readSettings(env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    const faults = error.message.split('\n')
    return diagnosisOf(
      faults.map((fault) =>
        finding('fault', 'settings', fault, 'Nothing starts with such a setting.', 'Correct it: docs/settings.md.'),
      ),
      now,
    )
  }
  const secrets = readSecrets(settings)
  const known = secrets !== undefined && !('fault' in secrets) ? secrets : undefined
  const findings = await Promise.all([
    [ok('settings', 'all are read')],
    checkFolder(settings, secrets),
    inside(settings, known, now),
    guarded('api', async () => [await checkApi(settings)]),
    guarded('gateway', async () => [await checkGateway(settings)]),
    guarded('mail', async () => [await checkMail(settings)]),
    guarded('payments', async () => [checkPayments(settings)]),
    guarded('certificate', () => checkCertificate(settings, now)),
    guarded('names', () => checkNames(settings)),
    guarded('internet', () => checkInternet(settings)),
  ])
  return diagnosisOf(findings.flat(), now)
}

/** Of an installation that has some: the doctor makes none. */
function readSecrets({ DATA_DIR }: Settings): Secrets | { fault: string } | undefined {
  if (!existsSync(join(DATA_DIR, 'secrets.json'))) return undefined
  try {
    return loadSecrets(DATA_DIR)
  } catch (error) {
    return { fault: (error as Error).message }
  }
}

/** What takes the database or the keys, with what the machine itself gives. */
async function inside(settings: Settings, secrets: Secrets | undefined, now: Date): Promise<Finding[]> {
  const fleet = secrets && createFleet({ settings, secrets, logger: createLogger({ part: 'doctor', level: 'silent' }) })
  const walls = fleet === undefined ? [] : guarded('walls', () => checkWalls(fleet))
  try {
    if (settings.DATABASE_URL === undefined)
      return [
        finding(
          'fault',
          'database',
          'the embedded one does not run',
          'The product is down.',
          'Start it (npm start), or set DATABASE_URL where the database is your own.',
        ),
        ...(await walls),
      ]
    const database = openDatabase({ url: settings.DATABASE_URL, size: 4, onError: () => undefined })
    try {
      const { db } = database
      const { findings, usable } = await checkDatabase(db, secrets)
      if (!usable) return [...findings, ...(await walls)]
      const health = guarded('health', async () => findingsOfHealth(await readHealth({ db, settings }, now)))
      const backups =
        secrets === undefined || fleet === undefined
          ? []
          : guarded('backups', async () => {
              const logger = createLogger({ part: 'doctor', level: 'silent' })
              return checkBackups(
                await checkBackupStorage({ db, fleet, settings, secrets, logger }, { reads: true }),
                now,
              )
            })
      const certificates = guarded('certificates', () => checkCertificates(db))
      return [...findings, ...(await health), ...(await backups), ...(await certificates), ...(await walls)]
    } finally {
      await database.close()
    }
  } finally {
    fleet?.close()
  }
}

/** One look that fails in a way nobody thought of hides none of the others. */
async function guarded(check: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look()
  } catch (error) {
    const what = `could not be looked at: ${error instanceof Error ? error.message : String(error)}`
    return [finding('fault', check, what, 'Whether it is well is not known.', 'See what the message says.')]
  }
}
