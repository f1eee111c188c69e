/** What this machine gives: walls around servers, backups. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { Secrets } from '@wakestone/kit/secrets'
import type { Settings } from '@wakestone/kit/settings'
import type { Fleet } from '#src/adapters/clusters/fleet.ts'
import type { StorageState } from '#src/features/servers/backups/service.ts'
import { type Finding, finding, ok } from './findings.ts'

const drillDays = 3
const dayMilliseconds = 86_400_000

export async function checkWalls({ cluster }: Pick<Fleet, 'cluster'>): Promise<Finding[]> {
  const { ok: isOk, problems } = await cluster.check()
  const fault = isOk ? await cluster.checkpoints?.findFault() : 'no server can be placed'
  const sleep = ok(
    'deep sleep',
    fault === undefined
      ? 'keeps the memory of servers on disk'
      : `servers are stopped for it, as there are no checkpoints: ${fault}`,
  )
  if (problems.length === 0) return [ok('walls', 'every server can have its own network, disk and limits'), sleep]
  const walls = problems.map((problem) =>
    finding(
      isOk ? 'warning' : 'fault',
      'walls',
      problem,
      isOk
        ? 'Servers run, less apart from each other and from this machine than they could.'
        : 'In production no server is placed on such a machine.',
      'See "Walls around servers" in docs/operating.md; what may be missing is named in ALLOW_MISSING_WALLS.',
    ),
  )
  return [...walls, sleep]
}

export function checkBackups(
  { repositories, since, drilled_at, damaged, programFault, probe }: StorageState,
  now: Date,
): Finding[] {
  if (programFault !== null)
    return [
      finding(
        'fault',
        'restic',
        programFault,
        'No backup is made and none can be restored.',
        'Install restic 0.17 or newer, and name it in RESTIC_PATH unless it is on the PATH.',
      ),
    ]
  const findings: Finding[] = []
  if (probe?.fault != null)
    findings.push(
      finding(
        'fault',
        'backups',
        `the storage at ${probe.location} cannot be read: ${probe.fault}`,
        'No backup is made and none can be restored.',
        'Check BACKUP_STORAGE… and that the storage is up; a folder must be mounted.',
      ),
    )
  else
    findings.push(
      ok(
        'backups',
        repositories === 0
          ? 'none was made yet'
          : `${repositories} repositories${probe === null ? '' : `, that at ${probe.location} can be read`}`,
      ),
    )
  if (damaged > 0)
    findings.push(
      finding(
        'fault',
        'damaged',
        `${damaged} backups cannot be restored`,
        'What they hold is lost unless it is elsewhere; the disk below may be failing.',
        'Check the storage’s disk (SMART), make new backups of these servers, and look at /admin/servers.',
      ),
    )
  const last = drilled_at ?? since
  if (repositories > 0 && last !== null && now.getTime() - last.getTime() > drillDays * dayMilliseconds)
    findings.push(
      finding(
        'warning',
        'drill',
        drilled_at === null
          ? 'no backup was ever restored for a trial'
          : `the last trial of a restore was on ${drilled_at.toISOString().slice(0, 10)}`,
        'A backup that was never restored is a hope.',
        'It happens each night at 04:40 UTC: see the worker’s log for "drill-a-backup", and that there is room in DATA_DIR/cache.',
      ),
    )
  else if (drilled_at !== null)
    findings.push(ok('drill', `a restore was tried on ${drilled_at.toISOString().slice(0, 10)}`))
  return findings
}

/** What has to be there before the database is of use. */
export async function checkFolder(
  { DATA_DIR }: Settings,
  secrets: Secrets | { fault: string } | undefined,
): Promise<Finding[]> {
  const isThere = await access(join(DATA_DIR, 'secrets.json')).then(
    () => true,
    () => false,
  )
  if (secrets !== undefined && 'fault' in secrets)
    return [
      finding(
        'fault',
        'secrets',
        secrets.fault,
        'Nothing starts without these keys, and what was sealed with them cannot be opened.',
        'Put secrets.json back from a backup of the business.',
      ),
    ]
  if (!isThere)
    return [
      finding(
        'fault',
        'secrets',
        `there is no secrets.json in ${DATA_DIR}`,
        'Either the product was never started here, or DATA_DIR leads to the wrong folder.',
        'Set DATA_DIR as for a start, or start the product for the first time.',
      ),
    ]
  return [ok('secrets', `in ${DATA_DIR}`)]
}
