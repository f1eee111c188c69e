/**
 * Brings the records of names in line with what the database says. A look is written when its work is done: a worker that
 * is killed at any line leaves a name that is due again once its lease is over, and what it writes is the same.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createPowerDns, DnsUnavailable, type PowerDns, ZoneMissing } from '#src/adapters/dns/power-dns.ts'
import { createDomainResolver } from '#src/adapters/dns/resolver.ts'
import type { Context } from '#src/context.ts'
import { lookAtClaim, type OwnDomainDeps, watchDomain } from './own-domains.ts'
import { isAsWanted, recordSetsOf } from './records.ts'
import * as repo from './repo.ts'

const sweepMilliseconds = 500
/** Longer than a call to PowerDNS may take, so that an old one never arrives after a newer one. */
const leaseSeconds = 15
/** Name servers far away take their time. PowerDNS gets one order after the other: with SQLite it takes no two at once. */
const questionsAtOnce = 4
/** Another worker may have been before. */
const busySeconds = 2
const retrySeconds = 20
const daySeconds = 86_400
const compareMilliseconds = 10 * 60_000
const namesCompared = 1_000

export type RecordDeps = OwnDomainDeps & { powerDns: PowerDns | undefined }

export const gameOf = (game: string | null) =>
  game === null ? undefined : game === 'minecraft-bedrock' ? ('bedrock' as const) : ('java' as const)

export function createRecordDeps({ db, settings, logger }: Pick<Context, 'db' | 'settings' | 'logger'>): RecordDeps {
  return { db, settings, logger, powerDns: createPowerDns(settings), resolver: createDomainResolver(settings) }
}

/** Sets the records of one name that is due. @returns false when there is none */
async function settleDueDomain(deps: RecordDeps): Promise<boolean> {
  const domain = await repo.takeDueDomain(deps.db, { external: false, leaseSeconds })
  if (domain !== undefined) await settleRecords(deps, domain)
  return domain !== undefined
}

/** @returns false when no domain of a customer's is due */
async function watchDueDomain(deps: RecordDeps): Promise<boolean> {
  const domain = await repo.takeDueDomain(deps.db, { external: true, leaseSeconds })
  if (domain !== undefined) await watchDomain(deps, domain)
  return domain !== undefined
}

async function settleRecords({ db, settings, logger, powerDns }: RecordDeps, domain: repo.DueDomain): Promise<void> {
  if (powerDns === undefined)
    return repo.writeLook(db, domain, { areRight: true, error: null, nextSeconds: daySeconds })
  const { fqdn, zone_name } = domain
  const sets = recordSetsOf(fqdn, gameOf(domain.game), settings)
  try {
    await writeInZone(powerDns, zone_name, sets, settings.DNS_NAMESERVERS)
    await repo.writeLook(db, domain, { areRight: true, error: null, nextSeconds: daySeconds })
  } catch (error) {
    if (!(error instanceof ZoneMissing || error instanceof DnsUnavailable)) throw error
    logger.warn({ error, domain: fqdn }, 'the records of a name could not be set; it is tried again')
    const code = error instanceof ZoneMissing ? 'zone_id_not_found' : 'service_unavailable'
    const isBusy = error instanceof DnsUnavailable && error.status !== undefined
    await repo.writeLook(db, domain, {
      areRight: false,
      error: code,
      nextSeconds: isBusy ? busySeconds : retrySeconds,
    })
  }
}

async function writeInZone(
  powerDns: PowerDns,
  zone: string,
  sets: ReturnType<typeof recordSetsOf>,
  nameServers: readonly string[],
): Promise<void> {
  try {
    await powerDns.write(zone, sets)
  } catch (error) {
    if (!(error instanceof ZoneMissing) || nameServers.length === 0) throw error
    await powerDns.makeZone(zone, nameServers)
    await powerDns.write(zone, sets)
  }
}

/** @returns false when no claim is due */
async function lookAtDueClaim(deps: RecordDeps): Promise<boolean> {
  const claim = await repo.takeDueClaim(deps.db, leaseSeconds)
  if (claim === undefined) return false
  await lookAtClaim(deps, claim)
  return true
}

/**
 * Compares what PowerDNS has with what it is to have, and has what differs set anew: somebody may have changed it there,
 * or brought an older copy back. Names that are not ours in the same zone stay as they are.
 * @returns how many differed
 */
export async function compareZones({ db, settings, powerDns }: RecordDeps): Promise<number> {
  if (powerDns === undefined) return 0
  const zones = new Map<string, Map<string, Awaited<ReturnType<PowerDns['read']>>[number]>>()
  let differing = 0
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const domains = await repo.selectSettledDomains(db, after, namesCompared)
    if (domains.length === 0) return differing
    after = domains.at(-1)!.id
    const wrong: string[] = []
    for (const domain of domains) {
      const zone = zones.get(domain.zone_name) ?? (await readZone(powerDns, domain.zone_name))
      zones.set(domain.zone_name, zone)
      const sets = recordSetsOf(domain.fqdn, gameOf(domain.game), settings)
      if (!sets.every((set) => isAsWanted(set, zone.get(`${set.type} ${set.name}`)))) wrong.push(domain.id)
    }
    differing += wrong.length
    await repo.distrustRecords(db, wrong)
  }
}

/** By type and name; nothing of one that is not there. */
async function readZone(powerDns: PowerDns, zone: string) {
  const sets = await powerDns.read(zone).catch((error: unknown) => {
    if (error instanceof ZoneMissing) return []
    throw error
  })
  return new Map(sets.map((set) => [`${set.type} ${set.name}`, set]))
}

export type AddressWork = { close(): Promise<void> }

/** Any number of workers may. */
export function beginAddressWork(context: Pick<Context, 'db' | 'settings' | 'logger'>): AddressWork {
  const deps = createRecordDeps(context)
  const closing = new AbortController()
  const { signal } = closing
  let comparedAt = -Infinity

  async function sweep() {
    if (performance.now() - comparedAt > compareMilliseconds) {
      comparedAt = performance.now()
      const differing = await compareZones(deps)
      if (differing > 0) deps.logger.warn({ differing }, 'records of names differed from what they are to be')
    }
    const run = async (take: (deps: RecordDeps) => Promise<boolean>) => {
      while (!signal.aborted && (await take(deps)));
    }
    const questions = Array.from({ length: questionsAtOnce }, () => run(watchDueDomain))
    await Promise.all([run(settleDueDomain), run(lookAtDueClaim), ...questions])
  }

  const working = (async () => {
    while (!signal.aborted) {
      await sweep().catch((error: unknown) => deps.logger.warn({ error }, 'records of names cannot be looked through'))
      await sleep(sweepMilliseconds, undefined, { signal }).catch(() => undefined)
    }
  })()
  return {
    async close() {
      closing.abort()
      await working
    },
  }
}
