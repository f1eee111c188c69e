/** Looks at the records of a website’s domain, and at what follows from them. */
import { proofDays, proofGraceHours } from '@wakestone/contract/servers/addresses'
import { websiteHost } from '@wakestone/kit/settings'
import type { DomainResolver } from '#src/adapters/dns/resolver.ts'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { proofName, proofText, secondsToNextLook } from '#src/features/servers/addresses/service.ts'
import * as repo from './repo.ts'

type Deps = Pick<Context, 'db' | 'settings' | 'logger'> & { resolver: DomainResolver }

const watchSeconds = 3_600
/** Its owner is perhaps at work on it. */
const watchClosely = 300

const tell = (trx: Transaction, domain: repo.DueDomain, outcome: string) =>
  recordUserEvent(trx, domain.owner_id, {
    action: 'USER_WEBSITE_DOMAIN_CHANGED',
    data: { website_id: domain.craftum_id, name: domain.website, domain: domain.fqdn, outcome },
  })

export async function lookAtDomain(deps: Deps, domain: repo.DueDomain): Promise<void> {
  const [texts, leads] = await Promise.all([deps.resolver.texts(proofName(domain.fqdn)), leadsHere(deps, domain)])
  const isProved = texts?.includes(proofText(domain.proof))
  return domain.proved_at === null
    ? lookAtClaim(deps, domain, { texts, isProved, leads })
    : watch(deps, domain, { isProved, leads })
}

type Found = { texts: string[] | undefined; isProved: boolean | undefined; leads: boolean | undefined }

async function lookAtClaim({ db, logger }: Deps, domain: repo.DueDomain, { texts, isProved, leads }: Found) {
  const seconds = (Date.now() - domain.created_at.getTime()) / 1000
  if (!isProved) {
    if (seconds > proofDays * 86_400) return void (await repo.deleteDomain(db, domain.craftum_id))
    const error = texts === undefined ? 'service_unavailable' : null
    return repo.writeLook(db, domain, { error, nextSeconds: secondsToNextLook(seconds) })
  }
  await inTransaction(db, async (trx) => {
    const holder = await repo.findProved(trx, domain.fqdn)
    // Both proofs stand there: who had it keeps it until their record goes.
    if (holder !== undefined && texts?.includes(proofText(holder.proof)))
      return repo.writeLook(trx, domain, { error: 'resource_already_exists', nextSeconds: watchClosely })
    if (holder !== undefined) await lose(trx, holder.craftum_id, 'proved_by_another')
    await repo.writeLook(trx, domain, {
      proved_at: new Date(),
      leads_here: leads ?? false,
      error: null,
      nextSeconds: leads ? watchSeconds : watchClosely,
    })
    await tell(trx, domain, 'proved')
    logger.info({ websiteId: domain.craftum_id, domain: domain.fqdn }, 'the domain of a website was proved')
  })
}

async function lose(trx: Transaction, websiteId: string, outcome: string): Promise<void> {
  const lost = await repo.findWithOwner(trx, websiteId)
  await repo.deleteDomain(trx, websiteId)
  if (lost !== undefined) await tell(trx, lost, outcome)
}

async function watch({ db, logger }: Deps, domain: repo.DueDomain, { isProved, leads }: Omit<Found, 'texts'>) {
  const since = domain.proof_missing_since
  if (isProved === false && since !== null && Date.now() - since.getTime() > proofGraceHours * 3_600_000) {
    await inTransaction(db, (trx) => lose(trx, domain.craftum_id, 'proof_missing'))
    return logger.info({ websiteId: domain.craftum_id, domain: domain.fqdn }, 'the domain of a website was given up')
  }
  await repo.writeLook(db, domain, {
    ...(leads !== undefined && { leads_here: leads }),
    ...(isProved !== undefined && { proof_missing_since: isProved ? null : (since ?? new Date()) }),
    error: isProved === undefined && leads === undefined ? 'service_unavailable' : null,
    nextSeconds: isProved && leads ? watchSeconds : watchClosely,
  })
}

/** Whether it has an address of the website’s first name; undefined: nobody could say. */
async function leadsHere(
  { resolver, settings }: Deps,
  { fqdn, subdomain }: repo.DueDomain,
): Promise<boolean | undefined> {
  const [found, ours] = await Promise.all([
    resolver.addresses(fqdn),
    resolver.addresses(websiteHost(settings, subdomain)),
  ])
  if (found === undefined || ours === undefined) return undefined
  return found.some((address) => ours.includes(address))
}
