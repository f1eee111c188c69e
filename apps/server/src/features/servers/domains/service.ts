/**
 * Addresses of servers.
 */
import { randomInt } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import { reservationDays } from '@wakestone/contract/servers/addresses'
import type { Domain } from '@wakestone/contract/servers/server'
import { isReservedSubdomain, subdomainSchema } from '@wakestone/contract/validation'
import { publicUrl, type Settings } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import type { Handle, Transaction } from '#src/db/client.ts'
import { isKnownZone } from '#src/features/servers/clusters/service.ts'
import { adjectives, mobs } from './generated-names.ts'
import {
  type DomainRow,
  findTakenDomain,
  hasLookAlike,
  type NewDomain,
  releaseDomainsOf,
  selectDomainsById,
  selectDomainsByText,
  takeDomain,
} from './repo.ts'

/** What the operator is called, as far as its addresses tell: `play.example.net` → `example`. */
function brandsOf(settings: Settings): string[] {
  const hosts = [settings.GAME_DOMAIN, new URL(publicUrl(settings)).hostname]
  const names = hosts.filter((host) => !/^[\d.]+$/.test(host)).map((host) => host.split('.').at(-2) ?? '')
  return [...new Set(names)].filter((name) => name.length >= 5)
}

/** @throws DomainError `domain_invalid_subdomain`, `domain_reserved` */
export function requireGoodSubdomain(subdomain: string, settings: Settings): void {
  if (isReservedSubdomain(subdomain, brandsOf(settings)))
    throw new DomainError('domain_reserved', { resource: 'domain' })
  if (!subdomainSchema.safeParse(subdomain).success)
    throw new DomainError('domain_invalid_subdomain', { resource: 'domain' })
}

/** The domain as the contract shows it. */
export function describeDomain(row: DomainRow): Domain {
  const { id, server_id, user_id, fqdn, sub_domain, zone_name } = row
  return {
    id,
    server_id,
    user_id,
    fqdn,
    sub_domain,
    zone_name,
    external_ns: row.external,
    generated: row.generated,
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

/**
 * @throws DomainError `resource_already_exists` when the address is somebody's, or was until lately; `domain_reserved` when
 * it looks like another customer's
 */
export async function assignDomain(trx: Transaction, domain: NewDomain): Promise<DomainRow> {
  if (!domain.generated && (await hasLookAlike(trx, domain)))
    throw new DomainError('domain_reserved', { resource: 'domain', reason: 'looks_like_another' })
  const taken = await takeDomain(trx, domain)
  if (taken === undefined) throw new DomainError('resource_already_exists', { resource: 'domain' })
  return taken
}

const generatedTries = 5

/** Gives a name such as `brave-creeper-4821`. */
export async function assignGeneratedDomain(
  trx: Transaction,
  domain: Omit<NewDomain, 'subDomain' | 'generated'>,
): Promise<DomainRow> {
  for (let left = generatedTries; left > 0; left--) {
    const taken = await takeDomain(trx, { ...domain, subDomain: generateSubdomain(), generated: true })
    if (taken !== undefined) return taken
  }
  throw new DomainError('resource_already_exists', { resource: 'domain' })
}

/** A released address stays reserved for its owner so long. */
const reservation = reservationDays * 86_400_000
export const reservedUntil = (now: Date) => new Date(now.getTime() + reservation)

/** Gives the addresses of a server up. */
export function releaseDomains(trx: Transaction, serverId: string, now: Date): Promise<void> {
  return releaseDomainsOf(trx, serverId, reservedUntil(now))
}

/**
 * Who holds an address.
 * @returns undefined when it is free; otherwise the id of its server, null while it is only reserved.
 * @throws DomainError `domain_invalid_subdomain`, `domain_reserved`; an unknown zone is an invalid address.
 */
export async function findHolder(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  { subdomain, zoneName }: { subdomain: string; zoneName: string },
): Promise<string | null | undefined> {
  requireGoodSubdomain(subdomain, settings)
  if (!(await isKnownZone(db, zoneName))) throw new DomainError('domain_invalid_subdomain', { resource: 'domain' })
  return (await findTakenDomain(db, `${subdomain}.${zoneName}`))?.server_id
}

const pick = (words: readonly string[]) => words[randomInt(words.length)]!

/** A name such as `brave-creeper-4821`, for plans that do not choose their own. */
function generateSubdomain(): string {
  return `${pick(adjectives)}-${pick(mobs)}-${randomInt(1000, 10_000)}`
}
