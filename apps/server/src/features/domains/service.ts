/**
 * Addresses of servers.
 */
import { randomInt } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import { isReservedSubdomain, subdomainSchema } from '@wakestone/contract/validation'
import type { Handle, Transaction } from '#src/db/client.ts'
import { isKnownZone } from '#src/features/clusters/service.ts'
import { adjectives, mobs } from './generated-names.ts'
import { findTakenDomain, type NewDomain, takeDomain } from './repo.ts'

/** @throws DomainError `domain_invalid_subdomain`, `domain_reserved` */
export function requireGoodSubdomain(subdomain: string): void {
  if (isReservedSubdomain(subdomain)) throw new DomainError('domain_reserved', { resource: 'domain' })
  if (!subdomainSchema.safeParse(subdomain).success)
    throw new DomainError('domain_invalid_subdomain', { resource: 'domain' })
}

/** @throws DomainError `resource_already_exists` when the address is somebody's, or was until lately. */
export async function assignDomain(trx: Transaction, domain: NewDomain): Promise<void> {
  if (!(await takeDomain(trx, domain))) throw new DomainError('resource_already_exists', { resource: 'domain' })
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
