/** Domains of owners’ own under which their websites are shown: proved by a TXT record, and watched from then on. */
import { randomBytes } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import { DomainError } from '@wakestone/contract/errors'
import type { AddressState } from '@wakestone/contract/servers/addresses'
import type { WebsiteDomain } from '@wakestone/contract/websites/domain'
import { publicUrl, websiteHost } from '@wakestone/kit/settings'
import { createDomainResolver } from '#src/adapters/dns/resolver.ts'
import type { Context } from '#src/context.ts'
import { inTransaction } from '#src/db/client.ts'
import { findCertificateState } from '#src/features/ground/certificates/service.ts'
import { recordUserEvent } from '#src/features/ground/events/service.ts'
import { proofName, proofText } from '#src/features/servers/addresses/service.ts'
import { lockWebsite, showWebsite } from '#src/features/websites/craftums/service.ts'
import { lookAtDomain } from './look.ts'
import * as repo from './repo.ts'

export { beginWebsiteDomainWork } from './work.ts'

type Deps = Pick<Context, 'db' | 'settings'>

const proofBytes = 18
const missing = () => new DomainError('resource_not_found', { resource: 'domain' })

const stateOf = ({ proved_at, leads_here }: repo.DomainRow): AddressState =>
  proved_at === null ? 'unproven' : leads_here ? 'works' : 'waiting'

async function describe(deps: Deps, row: repo.DomainRow): Promise<WebsiteDomain> {
  const target = await targetOf(deps, row.craftum_id)
  const { fqdn, proof } = row
  const unicode = domainToUnicode(fqdn)
  const own = { mode: 'own' } as const
  return {
    fqdn,
    unicode: unicode === fqdn || unicode === '' ? null : unicode,
    state: stateOf(row),
    error: row.error,
    checked_at: row.checked_at?.toISOString() ?? null,
    proof_missing_since: row.proof_missing_since?.toISOString() ?? null,
    certificate: (await findCertificateState(deps, fqdn)) ?? null,
    targets: [
      { ...own, app: 'proof', record_name: proofName(fqdn), record_type: 'TXT', dns_content: proofText(proof) },
      { ...own, app: 'website', record_name: fqdn, record_type: 'CNAME', dns_content: `${target}.` },
    ],
  }
}

const targetOf = async (deps: Deps, websiteId: string) =>
  websiteHost(deps.settings, (await showWebsite(deps, websiteId)).subdomain)

export async function showDomain(deps: Deps, websiteId: string): Promise<{ domain: WebsiteDomain | null }> {
  const row = await repo.findDomainOf(deps.db, websiteId)
  return { domain: row === undefined ? null : await describe(deps, row) }
}

/**
 * Claims a domain, in place of another one. The one that is there already stays as it is.
 * @throws DomainError `domain_invalid_subdomain` for one of ours, `resource_not_found`
 */
export async function claimDomain(
  deps: Deps,
  { websiteId, fqdn }: { websiteId: string; fqdn: string },
): Promise<WebsiteDomain> {
  const { db, settings } = deps
  const ours = [new URL(publicUrl(settings)).hostname, settings.SITES_DOMAIN, settings.GAME_DOMAIN]
  if (ours.some((name) => fqdn === name || fqdn.endsWith(`.${name}`) || name.endsWith(`.${fqdn}`)))
    throw new DomainError('domain_invalid_subdomain', { resource: 'domain' })
  const row = await inTransaction(db, async (trx) => {
    if ((await lockWebsite(trx, websiteId)) === undefined)
      throw new DomainError('resource_not_found', { resource: 'website' })
    const known = await repo.findDomainOf(trx, websiteId)
    if (known?.fqdn === fqdn) return known
    return repo.putClaim(trx, { websiteId, fqdn, proof: randomBytes(proofBytes).toString('base64url') })
  })
  return describe(deps, row)
}

/** @throws DomainError `resource_not_found` */
export async function removeDomain({ db }: Deps, websiteId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const website = await lockWebsite(trx, websiteId)
    const known = await repo.findDomainOf(trx, websiteId)
    if (website === undefined || known === undefined) throw missing()
    await repo.deleteDomain(trx, websiteId)
    if (known.proved_at === null) return
    await recordUserEvent(trx, website.owner_id, {
      action: 'USER_WEBSITE_DOMAIN_CHANGED',
      data: { website_id: websiteId, name: website.name, domain: known.fqdn, outcome: 'removed' },
    })
  })
}

/** Looks at its records now. @throws DomainError `resource_not_found` */
export async function checkDomain(
  context: Pick<Context, 'db' | 'settings' | 'logger'>,
  websiteId: string,
): Promise<{ domain: WebsiteDomain | null }> {
  const row = await repo.findWithOwner(context.db, websiteId)
  if (row === undefined) throw missing()
  await lookAtDomain({ ...context, resolver: createDomainResolver(context.settings) }, row)
  return showDomain(context, websiteId)
}

/** Domains that are proved and lead here. */
export const listServedDomains = ({ db }: Pick<Deps, 'db'>): Promise<string[]> => repo.listServed(db)

/** @throws DomainError `resource_not_found` where no website is shown under it */
export async function requireServed({ db }: Deps, fqdn: string): Promise<void> {
  if ((await repo.findProved(db, fqdn.toLowerCase())) === undefined) throw missing()
}
