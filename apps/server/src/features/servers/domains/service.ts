/**
 * Addresses of servers.
 */
import { randomInt } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import type { Domain } from '@wakestone/contract/servers/server'
import { isReservedSubdomain, subdomainSchema } from '@wakestone/contract/validation'
import type { Handle, Transaction } from '#src/db/client.ts'
import { isKnownZone } from '#src/features/servers/clusters/service.ts'
import { adjectives, mobs } from './generated-names.ts'
import {
  type DomainRow,
  findTakenDomain,
  type NewDomain,
  releaseDomainsOf,
  selectDomainsById,
  selectDomainsByText,
  takeDomain,
} from './repo.ts'

/** @throws DomainError `domain_invalid_subdomain`, `domain_reserved` */
export function requireGoodSubdomain(subdomain: string): void {
  if (isReservedSubdomain(subdomain)) throw new DomainError('domain_reserved', { resource: 'domain' })
  if (!subdomainSchema.safeParse(subdomain).success)
    throw new DomainError('domain_invalid_subdomain', { resource: 'domain' })
}

/** The domain as the contract shows it. */
function describeDomain(row: DomainRow): Domain {
  const { id, server_id, user_id, fqdn, sub_domain, zone_name } = row
  return {
    id,
    server_id,
    user_id,
    fqdn,
    sub_domain,
    zone_name,
    kind: row.kind as Domain['kind'],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    expires: row.expires?.toISOString() ?? null,
  }
}

/** Addresses that hold a text, whatever its case; the one that it is first. */
export async function searchDomains(db: Handle, text: string, limit: number): Promise<Domain[]> {
  return (await selectDomainsByText(db, text.toLowerCase(), limit)).map(describeDomain)
}

/** The domain of this id, or those of the server of this id. */
export async function listDomainsById(db: Handle, id: string): Promise<Domain[]> {
  return (await selectDomainsById(db, id)).map(describeDomain)
}

/** @throws DomainError `resource_already_exists` when the address is somebody's, or was until lately. */
export async function assignDomain(trx: Transaction, domain: NewDomain): Promise<void> {
  if (!(await takeDomain(trx, domain))) throw new DomainError('resource_already_exists', { resource: 'domain' })
}

/** A released address stays reserved for its owner so long. */
const reservation = 30 * 86_400_000

/** Gives the addresses of a server up. */
export function releaseDomains(trx: Transaction, serverId: string, now: Date): Promise<void> {
  return releaseDomainsOf(trx, serverId, new Date(now.getTime() + reservation))
}

/**
 * Who holds an address.
 * @returns undefined when it is free; otherwise the id of its server, null while it is only reserved.
 * @throws DomainError `domain_invalid_subdomain`, `domain_reserved`; an unknown zone is an invalid address.
 */
export async function findHolder(
  db: Handle,
  { subdomain, zoneName }: { subdomain: string; zoneName: string },
): Promise<string | null | undefined> {
  requireGoodSubdomain(subdomain)
  if (!(await isKnownZone(db, zoneName))) throw new DomainError('domain_invalid_subdomain', { resource: 'domain' })
  return (await findTakenDomain(db, `${subdomain}.${zoneName}`))?.server_id
}

const pick = (words: readonly string[]) => words[randomInt(words.length)]!

/** A name such as `brave-creeper-4821`, for plans that do not choose their own. */
export function generateSubdomain(): string {
  return `${pick(adjectives)}-${pick(mobs)}-${randomInt(1000, 10_000)}`
}
