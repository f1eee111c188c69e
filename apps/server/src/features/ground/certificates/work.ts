/** Gets certificates, and new ones in time. Any number of workers may, and may be killed in it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type AcmeProof, makeAccountKey, openAcme } from '#src/adapters/acme/client.ts'
import { createPowerDns, type PowerDns, ZoneMissing } from '#src/adapters/dns/power-dns.ts'
import type { Context } from '#src/context.ts'
import * as repo from './repo.ts'
import { openKey, sealKey } from './sealing.ts'

type Deps = Pick<Context, 'db' | 'settings' | 'secrets' | 'logger'>
/** What is needed: hosts, and a domain below which every name is. */
export type Wanted = { hosts: readonly string[]; below: string }

const lookMilliseconds = 2_000
/** A domain that was just proved gets its certificate while its owner waits. */
const noteMilliseconds = 5_000
/** For which the zone of a domain is remembered: to find it, PowerDNS tells all of it. */
const zoneMilliseconds = 600_000
/** Longer than an order may take. */
const leaseSeconds = 600
const firstPauseSeconds = 300
const longestPauseSeconds = 86_400
/** Of its life after which a certificate is renewed, as authorities ask. */
const renewAfter = 2 / 3
const keptUnwantedDays = 30
const errorLength = 500
const recordSeconds = 60

/** @param wanted asked again and again: what is served changes */
export function beginCertificates(deps: Deps, wanted: () => Promise<Wanted>): { close(): Promise<void> } {
  if (deps.settings.HTTPS_PORT === undefined) return { close: async () => {} }
  const zones = rememberZones(createPowerDns(deps.settings))
  const closing = new AbortController()
  const { signal } = closing
  const working = (async () => {
    for (let noteAt = 0; !signal.aborted;) {
      try {
        if (Date.now() >= noteAt) {
          await noteWanted(deps, zones, await wanted())
          noteAt = Date.now() + noteMilliseconds
        }
        while (!signal.aborted && (await renewDue(deps, zones)));
      } catch (error) {
        deps.logger.warn({ error }, 'certificates cannot be looked through')
      }
      await sleep(lookMilliseconds, undefined, { signal }).catch(() => undefined)
    }
  })()
  return {
    async close() {
      closing.abort()
      await working
    },
  }
}

/** Where a domain’s records are kept. */
type Zone = { name: string; dns: PowerDns }
type Zones = { find(domain: string): Promise<Zone | undefined> }

function rememberZones(dns: PowerDns | undefined): Zones {
  const known = new Map<string, { until: number; zone: Zone | undefined }>()
  async function look(domain: string): Promise<Zone | undefined> {
    for (let name = domain; dns !== undefined && name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
      try {
        await dns.read(name)
        return { name, dns }
      } catch (error) {
        if (!(error instanceof ZoneMissing)) throw error
      }
    }
    return undefined
  }
  return {
    async find(domain) {
      const kept = known.get(domain)
      if (kept !== undefined && kept.until > Date.now()) return kept.zone
      const zone = await look(domain)
      known.set(domain, { until: Date.now() + zoneMilliseconds, zone })
      return zone
    },
  }
}

/**
 * Where PowerDNS has the zone, one certificate is for all names below the domain. Elsewhere each name gets its own when
 * somebody asks for it, since authorities count certificates.
 */
async function noteWanted({ db }: Deps, zones: Zones, { hosts, below }: Wanted): Promise<void> {
  const hasZone = (await zones.find(below)) !== undefined
  const names = hasZone ? [...hosts, `*.${below}`] : hosts
  await repo.addWanted(db, names)
  const known = hasZone ? [] : await repo.listCertificates(db)
  const asked = known.map(({ name }) => name).filter((name) => name.endsWith(`.${below}`) && !name.startsWith('*.'))
  await repo.markUnwanted(db, [...names, ...asked], keptUnwantedDays)
}

/** @returns whether something was due */
async function renewDue(deps: Deps, zones: Zones): Promise<boolean> {
  const { db, logger } = deps
  const due = await repo.takeDue(db, leaseSeconds)
  if (due === undefined) return false
  const { name } = due
  try {
    const authority = await openAuthority(deps)
    const issued = await authority.order(name, name.startsWith('*.') ? await byDns(zones, name.slice(2)) : byHttp(deps))
    const { chain, key, notBefore, notAfter } = issued
    const life = notAfter.getTime() - notBefore.getTime()
    const renewAt = new Date(notBefore.getTime() + life * renewAfter)
    await repo.writeIssued(db, name, { chain, key: sealKey(deps, name, key), notAfter, renewAt })
    logger.info({ name, notAfter }, 'a certificate was issued')
  } catch (error) {
    const message = (error as Error).message.slice(0, errorLength)
    const pause = Math.min(firstPauseSeconds * 2 ** Math.min(due.attempts, 20), longestPauseSeconds)
    await repo.writeFailed(db, name, message, pause)
    logger.warn({ name, error: message, again: pause }, 'a certificate cannot be had')
  }
  return true
}

async function openAuthority(deps: Deps) {
  const { db, settings } = deps
  const directoryUrl = settings.ACME_DIRECTORY_URL
  if ((await repo.findAccount(db, directoryUrl)) === undefined)
    await repo.addAccount(db, directoryUrl, sealKey(deps, directoryUrl, await makeAccountKey()))
  const account = await repo.findAccount(db, directoryUrl)
  if (account === undefined) throw new Error('there is no account for the authority')
  const key = openKey(deps, directoryUrl, account.key)
  return openAcme(settings, { key, url: account.account_url ?? undefined }, (url) =>
    repo.writeAccountUrl(db, directoryUrl, url),
  )
}

/** Any API answers it, see `http/acme.ts`. */
const byHttp = ({ db }: Deps): AcmeProof => ({
  kind: 'http-01',
  lay: (token, answer) => repo.writeAnswer(db, token, answer),
  takeAway: (token) => repo.deleteAnswer(db, token),
})

async function byDns(zones: Zones, domain: string): Promise<AcmeProof> {
  const zone = await zones.find(domain)
  if (zone === undefined) throw new Error(`PowerDNS has no zone of ${domain}`)
  const write = (contents: string[]) =>
    zone.dns.write(zone.name, [{ name: `_acme-challenge.${domain}`, type: 'TXT', ttl: recordSeconds, contents }])
  return {
    kind: 'dns-01',
    lay: (_token, answer) => write([`"${answer}"`]),
    takeAway: () => write([]),
  }
}
