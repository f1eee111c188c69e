/** Domains of customers' own: proved by a TXT record, watched as long as they lead to a server. */
import { proofDays, proofGraceHours } from '@wakestone/contract/servers/addresses'
import type { DomainResolver } from '#src/adapters/dns/resolver.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { proofName, proofText, serviceName } from './records.ts'
import * as repo from './repo.ts'

export type OwnDomainDeps = Pick<Context, 'db' | 'settings' | 'logger'> & { resolver: DomainResolver }

const hour = 3_600
/** At first somebody waits for it; later they have other things to do. */
const claimSteps = [
  { olderSeconds: 24 * hour, nextSeconds: hour },
  { olderSeconds: hour, nextSeconds: 600 },
  { olderSeconds: 0, nextSeconds: 30 },
]
/** @param age seconds since it was claimed */
export const secondsToNextLook = (age: number): number =>
  claimSteps.find(({ olderSeconds }) => age >= olderSeconds)?.nextSeconds ?? hour
const watchSeconds = hour
/** It leads nowhere yet, or its proof is gone: its owner is perhaps at work on it. */
const watchClosely = 300

/** Looks for the TXT record of a claim. With it, the domain is the server's; whoever had it before has lost the proof. */
export async function lookAtClaim(deps: OwnDomainDeps, claim: repo.ClaimRow): Promise<void> {
  const { db, resolver } = deps
  const age = (Date.now() - claim.created_at.getTime()) / 1000
  const texts = await resolver.texts(proofName(claim.fqdn))
  if (texts?.includes(proofText(claim.proof))) return takeOver(deps, claim, texts)
  if (age > proofDays * 24 * hour) return void (await inTransaction(db, (trx) => repo.deleteClaim(trx, claim.id)))
  const nextSeconds = secondsToNextLook(age)
  await repo.writeClaimLook(db, claim.id, texts === undefined ? 'service_unavailable' : null, nextSeconds)
}

async function takeOver(deps: OwnDomainDeps, claim: repo.ClaimRow, texts: string[]): Promise<void> {
  const { db, logger } = deps
  await inTransaction(db, async (trx) => {
    const holder = await repo.findDomainByName(trx, claim.fqdn)
    if (holder?.proof != null && texts.includes(proofText(holder.proof))) {
      // Both proofs stand there: who had it keeps it until their record goes.
      if (holder.server_id !== claim.server_id)
        return repo.writeClaimLook(trx, claim.id, 'resource_already_exists', watchClosely)
      return void (await repo.deleteClaim(trx, claim.id))
    }
    if (holder !== undefined) await loseDomain(trx, holder, 'proved_by_another')
    if (!(await repo.deleteClaim(trx, claim.id))) return // given up meanwhile
    await repo.insertProvedDomain(trx, claim)
    await recordServerEvent(trx, claim.server_id, {
      action: 'SERVER_DOMAIN_CHANGE',
      data: { old_domain: null, new_domain: claim.fqdn, outcome: 'proved' },
    })
    logger.info({ serverId: claim.server_id, domain: claim.fqdn }, 'a domain was proved')
  })
}

type Trx = Parameters<typeof repo.deleteClaim>[0]

/** Takes a domain away whose proof is gone. Another name of the server becomes its primary where it was that. */
async function loseDomain(trx: Trx, domain: repo.DomainRow, outcome: string): Promise<void> {
  await repo.releaseDomain(trx, domain, new Date())
  if (domain.server_id === null) return
  const [next] = await repo.selectDomainsOf(trx, domain.server_id)
  if (domain.kind === 'primary' && next) await repo.writeKind(trx, next.id, 'primary')
  await recordServerEvent(trx, domain.server_id, {
    action: 'SERVER_DOMAIN_CHANGE',
    data: { old_domain: domain.fqdn, new_domain: null, outcome },
  })
}

/** Looks whether a domain is still its owner's, and leads to us. */
export async function watchDomain(deps: OwnDomainDeps, domain: repo.DomainRow): Promise<void> {
  const { db, resolver, logger } = deps
  const [texts, leads] = await Promise.all([resolver.texts(proofName(domain.fqdn)), leadsHere(deps, domain)])
  const isProved = texts?.includes(proofText(domain.proof ?? ''))
  const missingSince = domain.proof_missing_since?.getTime()
  if (isProved === false && missingSince !== undefined && Date.now() - missingSince > proofGraceHours * hour * 1000) {
    await inTransaction(db, async (trx) => {
      const held = await repo.findDomainByName(trx, domain.fqdn)
      if (held?.id === domain.id && held.proof_missing_since !== null) await loseDomain(trx, held, 'proof_missing')
    })
    return logger.info({ serverId: domain.server_id, domain: domain.fqdn }, 'a domain was given up: its proof is gone')
  }
  await repo.writeLook(db, domain, {
    ...(leads !== undefined && { areRight: leads }),
    ...(isProved !== undefined && { proofMissing: !isProved }),
    error: isProved === undefined && leads === undefined ? 'service_unavailable' : null,
    nextSeconds: leads && isProved ? watchSeconds : watchClosely,
  })
}

/** Whether a domain leads to the gateway; undefined: nobody could say. */
async function leadsHere(
  { db, settings, resolver }: OwnDomainDeps,
  { server_id, fqdn }: repo.DomainRow,
): Promise<boolean | undefined> {
  const ours = server_id === null ? [] : (await repo.selectDomainsOf(db, server_id)).filter(({ external }) => !external)
  const names = ours.map((name) => name.fqdn)
  const services = await resolver.services(serviceName(fqdn))
  if (services?.some(({ name }) => names.includes(name))) return true
  const found = await resolver.addresses(fqdn)
  if (found === undefined) return undefined
  if (found.length === 0) return false
  const fixed = [...settings.DNS_IPV4, ...settings.DNS_IPV6]
  if (fixed.length > 0) return found.some((address) => fixed.includes(address))
  const through = names[0] === undefined ? undefined : await resolver.addresses(names[0])
  return through === undefined ? undefined : found.some((address) => through.includes(address))
}
