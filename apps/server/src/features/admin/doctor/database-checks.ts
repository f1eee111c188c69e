/** Whether there is a database, of the right version and shape, and whether workers are at work on it. */
import type { Secrets } from '@wakestone/kit/secrets'
import type { Handle } from '#src/db/client.ts'
import { compareMigrations } from '#src/db/migrate.ts'
import { listCertificates } from '#src/features/ground/certificates/service.ts'
import { mayUseKeys } from '#src/features/ground/installation/service.ts'
import { type Finding, finding, ok } from './findings.ts'
import { selectFacts, selectMigrations, selectWorkerAge } from './repo.ts'

/** The major version that the product is tested with. */
const leastVersion = 18
const clockSeconds = 2
const workerSeconds = 120

/** @returns what was found, and whether the tables can be read. */
export async function checkDatabase(
  db: Handle,
  secrets: Secrets | undefined,
): Promise<{ findings: Finding[]; usable: boolean }> {
  let facts: Awaited<ReturnType<typeof selectFacts>>
  const asked = Date.now()
  try {
    facts = await selectFacts(db)
  } catch (error) {
    const why = 'Nothing works without it: pages, payments and new connections of players fail; games that run go on.'
    const todo = 'Start PostgreSQL, or check address, password and firewall of DATABASE_URL.'
    return {
      findings: [finding('fault', 'database', `it does not answer: ${reasonOf(error)}`, why, todo)],
      usable: false,
    }
  }
  const answered = Date.now()
  const major = Math.floor(facts.version / 10_000)
  const findings: Finding[] = [
    major >= leastVersion
      ? ok('database', `PostgreSQL ${major} answers in ${answered - asked} ms`)
      : finding(
          'fault',
          'database',
          `PostgreSQL ${major} is older than ${leastVersion}`,
          'Migrations use what older versions do not have.',
          `Upgrade it to ${leastVersion} (pg_upgrade) before the next start.`,
        ),
  ]
  if (facts.connections > facts.most * 0.9)
    findings.push(
      finding(
        'warning',
        'connections',
        `${facts.connections} of ${facts.most} connections of the database are taken`,
        'When there is none left, parts of the product fail at random.',
        'Raise max_connections, or run fewer processes. An API or worker takes up to 20.',
      ),
    )
  // Somewhere between asking and the answer; a slow answer is no wrong clock.
  const off = Math.max(0, asked - facts.now.getTime(), facts.now.getTime() - answered) / 1000
  if (off > clockSeconds)
    findings.push(
      finding(
        'warning',
        'clock',
        `the clocks of this machine and of the database differ by ${off.toFixed(0)} s`,
        'Sessions, second factors and times of bills go by both.',
        'Let both keep their time by NTP (systemd-timesyncd or chrony).',
      ),
    )
  const migrations = await checkMigrations(db)
  findings.push(migrations)
  if (migrations.level === 'fault') return { findings, usable: false }
  if (secrets !== undefined && !(await mayUseKeys(db, secrets)))
    findings.push(
      finding(
        'fault',
        'keys',
        'the database was used with other keys than those in DATA_DIR/secrets.json',
        'Nothing starts: sessions, second factors and passwords of backups could not be opened.',
        'Set DATA_DIR to the folder that belongs to this database, or put its secrets.json back from a backup.',
      ),
    )
  findings.push(await checkWorkers(db))
  return { findings, usable: true }
}

async function checkMigrations(db: Handle): Promise<Finding> {
  const applied = await selectMigrations(db)
  if (applied === undefined)
    return finding(
      'fault',
      'migrations',
      'the database is empty',
      'The product has never been started on it.',
      'Run npm run db:migrate, or npm start; to bring a backup back: npm run business:restore.',
    )
  const { missing, unknown, changed } = compareMigrations(applied)
  if (changed.length > 0)
    return finding(
      'fault',
      'migrations',
      `${changed.join(', ')} was changed after it had been applied`,
      'The database is not what this version takes it for, and nothing starts.',
      'Check out the sources as they were released.',
    )
  if (missing.length > 0)
    return finding(
      'fault',
      'migrations',
      `${missing.length} missing, the first is ${missing[0]}`,
      'This version asks the database for what it does not have yet.',
      'Make a backup (npm run business:backup), then run npm run db:migrate.',
    )
  if (unknown.length > 0)
    return finding(
      'warning',
      'migrations',
      `the database knows ${unknown.length} that this version does not, such as ${unknown.at(-1)}`,
      'It was upgraded by a newer version; an older one may write what the newer cannot read.',
      'Run the newer version everywhere.',
    )
  return ok('migrations', `all ${applied.length} applied`)
}

async function checkWorkers(db: Handle): Promise<Finding> {
  const age = await selectWorkerAge(db)
  if (age !== null && age <= workerSeconds) return ok('worker', `at work ${age} s ago`)
  return finding(
    'fault',
    'worker',
    age === null ? 'none has ever been at work' : `none has been at work for ${Math.round(age / 60)} min`,
    'No server starts or stops, no mail is sent, nothing is renewed or backed up.',
    'Start one, and read DATA_DIR/logs/worker.log for why it ended.',
  )
}

/** The innermost reason; of several addresses that were tried, the first. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0])
  return error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error)
}

/** Certificates that the product gets by itself. */
export async function checkCertificates(db: Handle): Promise<Finding[]> {
  const certificates = await listCertificates({ db })
  if (certificates.length === 0) return []
  const failing = certificates.filter(({ state }) => state === 'failing')
  if (failing.length === 0) {
    const active = certificates.filter(({ state }) => state === 'active').length
    return [ok('certificates', `${active} are there, ${certificates.length - active} on their way`)]
  }
  return failing.map(({ name, error, notAfter }) =>
    finding(
      'warning',
      'certificates',
      `${name}: ${error}`,
      notAfter === null
        ? 'Browsers are refused there.'
        : `The one that is there ends on ${notAfter.toISOString().slice(0, 10)}.`,
      'See that the name leads here and that HTTP_PORT is reached at its port 80; it is tried again by itself.',
    ),
  )
}
