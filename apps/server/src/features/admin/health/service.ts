/** How the product is: what waits, what is late, and what somebody should look at. */
import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Health, Trouble } from '@wakestone/contract/admin/health'
import type { Settings } from '@wakestone/kit/settings'
import { roomOf } from '#src/adapters/clusters/machine.ts'
import type { Context } from '#src/context.ts'
import { listCertificates } from '#src/features/ground/certificates/service.ts'
import { listLateBackups } from '#src/features/servers/backups/service.ts'
import { selectLag, selectProviders, selectQueues } from './repo.ts'

type Deps = Pick<Context, 'db' | 'settings'>

const backupsShown = 50
const backupsCounted = 1000
/** From when on somebody should look, in seconds. Operations and deliveries wait for each other in good health too. */
export const lateAfter = {
  jobs: 300,
  looks: 60,
  unreached: 120,
  operations: 600,
  deliveries: 900,
  shop: 300,
  orders: 86_400,
}
const leastRoom = 0.1
const certificateDays = 14
const certificatesShown = 50

export async function readHealth({ db, settings }: Deps, now = new Date()): Promise<Health> {
  const [queues, lag, providers, disk, certificates, late] = await Promise.all([
    selectQueues(db),
    selectLag(db),
    selectProviders(db),
    readDisks(settings),
    readCertificates({ db, settings }),
    listLateBackups(db, backupsCounted, now),
  ])
  const iso = (time: Date | null) => time?.toISOString() ?? null
  const health: Omit<Health, 'troubles'> = {
    at: now.toISOString(),
    queues,
    lag,
    providers: providers.map((one) => ({ ...one, asked_at: iso(one.asked_at), heard_at: iso(one.heard_at) })),
    disk,
    certificates,
    backups: {
      count: late.length,
      late: late.slice(0, backupsShown).map(({ id, name, due_at, last_at, failed_at }) => ({
        server: { id, name },
        due_at: due_at.toISOString(),
        last_at: iso(last_at),
        failed_at: iso(failed_at),
      })),
    },
  }
  return { ...health, troubles: troublesOf(health, now) }
}

/** What somebody should look at. Pure. */
export function troublesOf(health: Omit<Health, 'troubles'>, now: Date): Health['troubles'] {
  const { queues, lag, providers, disk, certificates, backups } = health
  const soon = now.getTime() + certificateDays * 86_400_000
  const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0)
  const ifLate = ({ count, seconds }: { count: number; seconds: number }, after: number) =>
    seconds > after ? count : 0
  const counts: Record<Trouble, number> = {
    jobs_failed: sum(queues.map(({ failed }) => failed)),
    jobs_late: sum(queues.map(({ waiting, oldest_seconds }) => ((oldest_seconds ?? 0) > lateAfter.jobs ? waiting : 0))),
    looks_late: ifLate(lag.looks, lateAfter.looks),
    servers_unreached: ifLate(lag.unreached, lateAfter.unreached),
    deliveries_late: ifLate(lag.deliveries, lateAfter.deliveries) + ifLate(lag.operations, lateAfter.operations),
    shop_late: ifLate(lag.shop, lateAfter.shop),
    records_failed: lag.records.failed,
    messages_refused: sum(providers.map(({ refused }) => refused)),
    orders_late: sum(
      providers.map(({ open, oldest_seconds }) => ((oldest_seconds ?? 0) > lateAfter.orders ? open : 0)),
    ),
    disk_full: disk.filter(({ total, free }) => free < total * leastRoom).length,
    certificate_ends: certificates.filter(({ ends, renews, error }) =>
      renews ? error !== null : ends === null || Date.parse(ends) < soon,
    ).length,
    backups_late: backups.count,
  }
  return (Object.keys(counts) as Trouble[]).flatMap((trouble) =>
    counts[trouble] > 0 ? [{ trouble, count: counts[trouble] }] : [],
  )
}

/** Backups elsewhere have their storage's own watch. */
async function readDisks({ DATA_DIR, BACKUP_STORAGE }: Settings): Promise<Health['disk']> {
  const places = [{ place: 'data' as const, folder: DATA_DIR }]
  const local = BACKUP_STORAGE?.startsWith('/') === true ? [{ place: 'backups' as const, folder: BACKUP_STORAGE }] : []
  const all = await Promise.all(
    [...places, ...local].map(async ({ place, folder }) => {
      const room = await roomOf(folder).catch(() => undefined) // not there before the first backup
      return room === undefined ? [] : [{ place, ...room }]
    }),
  )
  return all.flat()
}

/** Those that the product itself holds or has got; pages are often served by a proxy with its own. */
async function readCertificates({ db, settings }: Deps): Promise<Health['certificates']> {
  const got = (await listCertificates({ db })).map(({ name, notAfter, error }) => {
    return { name, subject: '', ends: notAfter?.toISOString() ?? null, renews: true, error }
  })
  const last = '9999'
  return [...(await readOwn(settings)), ...got]
    .toSorted((one, other) => (one.ends ?? last).localeCompare(other.ends ?? last))
    .toSorted((one, other) => Number(other.error !== null) - Number(one.error !== null))
    .slice(0, certificatesShown)
}

async function readOwn({ BEDROCK_TLS_CERT }: Settings): Promise<Health['certificates']> {
  if (BEDROCK_TLS_CERT === undefined) return []
  const own = { name: 'BEDROCK_TLS_CERT', renews: false, error: null }
  try {
    const { subject, validTo } = new X509Certificate(await readFile(BEDROCK_TLS_CERT))
    return [{ ...own, subject, ends: new Date(validTo).toISOString() }]
  } catch {
    return [{ ...own, subject: '', ends: null }] // not readable: as bad as one that has ended
  }
}
