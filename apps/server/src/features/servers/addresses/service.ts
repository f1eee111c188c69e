/** What customers do with the names of their servers. */
import { randomBytes } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import { DomainError } from '@wakestone/contract/errors'
import type { Address, Addresses } from '@wakestone/contract/servers/addresses'
import type { Product } from '@wakestone/contract/sales/product'
import { publicUrl } from '@wakestone/kit/settings'
import { ZoneMissing } from '#src/adapters/dns/power-dns.ts'
import type { Context } from '#src/context.ts'
import { inTransaction, type Transaction } from '#src/db/client.ts'
import { recordServerEvent } from '#src/features/ground/events/service.ts'
import { isKnownZone } from '#src/features/servers/clusters/service.ts'
import {
  assignDomain,
  assignGeneratedDomain,
  describeDomain,
  requireGoodSubdomain,
  reservedUntil,
} from '#src/features/servers/domains/service.ts'
import { findServer, joinAddress, lockServer, type ServerRow } from '#src/features/servers/servers/service.ts'
import { lookAtClaim, watchDomain } from './own-domains.ts'
import { isAsWanted, ownTargetsOf, recordSetsOf, targetsOf } from './records.ts'
import * as repo from './repo.ts'
import { createRecordDeps, gameOf } from './work.ts'

export { secondsToNextLook } from './own-domains.ts'
export { proofName, proofText } from './records.ts'
export { beginAddressWork } from './work.ts'

type Deps = Pick<Context, 'db' | 'settings'>
type Asked = { server: ServerRow; userId: string }
type Name = { subdomain: string; zone_name: string }

const reservedShown = 20
/** Who has so many reserved takes no new ones: else names could be hoarded by taking and leaving them. */
const mostReserved = 20
const proofBytes = 18

const limitOf = ({ limits }: ServerRow) => (limits as Product['parameters']).names ?? 0
const zoneOf = (server: ServerRow, rows: repo.DomainRow[], fallback: string) =>
  rows.find(({ external }) => !external)?.zone_name ?? server.domains[0]?.zone_name ?? fallback

export async function listAddresses({ db, settings }: Deps, server: ServerRow): Promise<Addresses> {
  const [domains, claims] = await Promise.all([repo.selectDomainsOf(db, server.id), repo.selectClaimsOf(db, server.id)])
  const zone = zoneOf(server, domains, settings.GAME_DOMAIN)
  const reserved = await repo.selectReserved(db, server.owner_id, zone, reservedShown)
  const limit = limitOf(server)
  return {
    zone_name: zone,
    quota: { limit, available: Math.max(0, limit - countChosen(domains, claims)) },
    domains: [
      ...domains.map((row) => describeAddress(settings, server, row, domains)),
      ...claims.map((claim) => describeClaim(settings, server, claim, domains)),
    ],
    reserved: reserved.map(({ fqdn, sub_domain, reserved_until }) => ({
      fqdn,
      sub_domain,
      until: reserved_until!.toISOString(),
    })),
  }
}

const countChosen = (domains: repo.DomainRow[], claims: readonly unknown[]) =>
  domains.filter(({ generated }) => !generated).length + claims.length

/**
 * Has players join by another name. One that the server has changes places with its primary; a new one takes its place.
 * @throws DomainError of `assignDomain` and `requireGoodSubdomain`, and `too_many_free_domains`
 */
export function setPrimary(deps: Deps, asked: Asked, name: Name): Promise<Address> {
  const { subdomain, zone_name: zone } = inLowerCase(name)
  return changing(deps, asked, async (trx, server, rows) => {
    const [before] = rows.filter(({ kind }) => kind === 'primary')
    const held = rows.find(({ fqdn }) => fqdn === `${subdomain}.${zone}`)
    if (held !== undefined && held.id === before?.id) return held
    if (held === undefined) {
      await requireGoodName(deps, trx, { subdomain, zone, ownerId: server.owner_id })
      const others = rows.filter((row) => row !== before)
      await requireRoom(trx, server, others)
    }
    if (before !== undefined) {
      if (held === undefined) await repo.releaseDomain(trx, before, reservedUntil(new Date()))
      else await repo.writeKind(trx, before.id, 'secondary')
    }
    if (held !== undefined) await repo.writeKind(trx, held.id, 'primary')
    const now =
      held === undefined
        ? await assignDomain(trx, { ...ownerOf(server), subDomain: subdomain, zoneName: zone })
        : { ...held, kind: 'primary' as const }
    await tell(trx, asked, { old_domain: before?.fqdn ?? null, new_domain: now.fqdn })
    return now
  })
}

/** Names belong to the server's owner, whoever takes them. */
const ownerOf = (server: ServerRow) => ({ serverId: server.id, userId: server.owner_id })
const inLowerCase = ({ subdomain, zone_name }: Name) => ({
  subdomain: subdomain.toLowerCase(),
  zone_name: zone_name.toLowerCase(),
})

/** @throws as `setPrimary` */
export function addSecondary(deps: Deps, asked: Asked, name: Name): Promise<Address> {
  const { subdomain, zone_name: zone } = inLowerCase(name)
  return changing(deps, asked, async (trx, server, rows) => {
    const held = rows.find(({ fqdn }) => fqdn === `${subdomain}.${zone}`)
    if (held !== undefined) throw new DomainError('resource_already_exists', { resource: 'domain' })
    await requireGoodName(deps, trx, { subdomain, zone, ownerId: server.owner_id })
    await requireRoom(trx, server, rows)
    const taken = await assignDomain(trx, {
      ...ownerOf(server),
      subDomain: subdomain,
      zoneName: zone,
      kind: 'secondary',
    })
    await tell(trx, asked, { old_domain: null, new_domain: taken.fqdn })
    return taken
  })
}

/**
 * A domain of its owner's own, which leads nowhere before it is proved.
 * @throws DomainError `domain_invalid_subdomain` for one of ours, `too_many_free_domains`, `resource_already_exists`
 */
export async function claimDomain(deps: Deps, { server }: Asked, fqdn: string): Promise<Address> {
  const { db, settings } = deps
  const ours = [new URL(publicUrl(settings)).hostname, settings.GAME_DOMAIN, server.domains[0]?.zone_name ?? '']
  if (ours.some((name) => fqdn === name || fqdn.endsWith(`.${name}`)))
    throw new DomainError('domain_invalid_subdomain', { resource: 'domain' })
  const proof = randomBytes(proofBytes).toString('base64url')
  return inTransaction(db, async (trx) => {
    await lockServer(trx, server.id)
    const rows = await repo.selectDomainsOf(trx, server.id)
    await requireRoom(trx, server, rows)
    const claim = rows.some((row) => row.fqdn === fqdn)
      ? undefined
      : await repo.insertClaim(trx, { ...ownerOf(server), fqdn, proof })
    if (claim === undefined) throw new DomainError('resource_already_exists', { resource: 'domain' })
    return describeClaim(settings, server, claim, rows)
  })
}

/** @throws DomainError `resource_not_found` */
export async function releaseAddress({ db }: Deps, asked: Asked, domainId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockServer(trx, asked.server.id)
    const rows = await repo.selectDomainsOf(trx, asked.server.id)
    const claims = await repo.selectClaimsOf(trx, asked.server.id)
    if (claims.some(({ id }) => id === domainId)) return void (await repo.deleteClaim(trx, domainId))
    const released = rows.find(({ id }) => id === domainId)
    if (released === undefined) throw new DomainError('resource_not_found', { resource: 'domain' })
    await repo.releaseDomain(trx, released, reservedUntil(new Date()))
    const left = rows.filter((row) => row !== released)
    await keepOneOfOurs(trx, asked.server, released, left)
    await tell(trx, asked, { old_domain: released.fqdn, new_domain: null })
  })
}

/** A server always has a name of ours, and a primary one: domains of others' may go at any time. */
async function keepOneOfOurs(
  trx: Transaction,
  server: ServerRow,
  released: repo.DomainRow,
  left: repo.DomainRow[],
): Promise<void> {
  const ours = left.find(({ external }) => !external)
  const next = ours ?? left[0]
  if (released.kind === 'primary' && next !== undefined) await repo.writeKind(trx, next.id, 'primary')
  if (ours !== undefined) return
  await assignGeneratedDomain(trx, {
    ...ownerOf(server),
    zoneName: released.zone_name,
    kind: left.length === 0 ? 'primary' : 'secondary',
  })
}

/**
 * Looks at the records of a name now.
 * @throws DomainError `resource_not_found`; `pdns_record_not_found` where the name servers do not have them, which are then
 * set anew; `zone_id_not_found`
 */
export async function checkAddress(
  context: Pick<Context, 'db' | 'settings' | 'logger'>,
  server: ServerRow,
  domainId: string,
): Promise<Address> {
  const { db } = context
  const deps = createRecordDeps(context)
  const claim = (await repo.selectClaimsOf(db, server.id)).find(({ id }) => id === domainId)
  if (claim !== undefined) await lookAtClaim(deps, claim)
  else {
    const domain = (await repo.selectDomainsOf(db, server.id)).find(({ id }) => id === domainId)
    if (domain === undefined) throw new DomainError('resource_not_found', { resource: 'domain' })
    if (domain.external) await watchDomain(deps, domain)
    else await checkRecords(deps, server, domain)
  }
  const { domains } = await listAddresses(context, server)
  // What was proved has become a name of the server, with an id of its own.
  const now = domains.find(({ id, fqdn }) => id === domainId || fqdn === claim?.fqdn)
  if (now === undefined) throw new DomainError('resource_not_found', { resource: 'domain' })
  return now
}

async function checkRecords(
  { db, settings, powerDns }: ReturnType<typeof createRecordDeps>,
  server: ServerRow,
  domain: repo.DomainRow,
): Promise<void> {
  if (powerDns === undefined) return
  const found = await powerDns.read(domain.zone_name).catch((error: unknown) => {
    if (error instanceof ZoneMissing) throw new DomainError('zone_id_not_found', { resource: 'domain' })
    throw new DomainError('service_unavailable', { reason: 'the name servers do not answer' })
  })
  const areThere = recordSetsOf(domain.fqdn, gameOf(server.game), settings).every((set) =>
    isAsWanted(
      set,
      found.find(({ name, type }) => name === set.name && type === set.type),
    ),
  )
  if (areThere) return repo.writeLook(db, domain, { areRight: true, error: null, nextSeconds: 86_400 })
  await repo.distrustRecords(db, [domain.id])
  throw new DomainError('pdns_record_not_found', { resource: 'domain' })
}

/** With the server locked, so that two who take names at once never get more than the plan has. */
function changing(
  { db, settings }: Deps,
  { server }: Asked,
  change: (trx: Transaction, server: ServerRow, rows: repo.DomainRow[]) => Promise<repo.DomainRow>,
): Promise<Address> {
  return inTransaction(db, async (trx) => {
    await lockServer(trx, server.id)
    const fresh = await findServer(trx, server.id)
    if (fresh === undefined) throw new DomainError('server_id_not_found', { resource: 'server' })
    const changed = await change(trx, fresh, await repo.selectDomainsOf(trx, server.id))
    return describeAddress(settings, fresh, changed, await repo.selectDomainsOf(trx, server.id))
  })
}

async function requireGoodName(
  { settings }: Deps,
  trx: Transaction,
  { subdomain, zone, ownerId }: { subdomain: string; zone: string; ownerId: string },
): Promise<void> {
  requireGoodSubdomain(subdomain, settings)
  const reserved = await repo.selectReserved(trx, ownerId, zone, mostReserved)
  if (reserved.length === mostReserved && reserved.every(({ sub_domain }) => sub_domain !== subdomain))
    throw new DomainError('too_many_requests', {
      resource: 'domain',
      limit: mostReserved,
      retry_after: Math.ceil((reserved.at(-1)!.reserved_until!.getTime() - Date.now()) / 1000),
    })
  if (!(await isKnownZone(trx, zone))) throw new DomainError('domain_invalid_subdomain', { resource: 'domain' })
}

/** @param others what the server has besides */
async function requireRoom(trx: Transaction, server: ServerRow, others: repo.DomainRow[]): Promise<void> {
  const limit = limitOf(server)
  if (countChosen(others, await repo.selectClaimsOf(trx, server.id)) >= limit)
    throw new DomainError('too_many_free_domains', { resource: 'domain', limit })
}

const tell = (
  trx: Transaction,
  { server, userId }: Asked,
  change: { old_domain: string | null; new_domain: string | null },
) => recordServerEvent(trx, server.id, { action: 'SERVER_DOMAIN_CHANGE', data: { executor: userId, ...change } })

function describeAddress(
  settings: Context['settings'],
  server: ServerRow,
  row: repo.DomainRow,
  all: repo.DomainRow[],
): Address {
  const game = gameOf(server.game) ?? 'java'
  const { fqdn, external, proof } = row
  const isManaged = settings.PDNS_URL !== undefined
  const isSettled = row.records_done === row.records_wanted
  const works = external || isManaged ? isSettled : true
  return {
    ...describeDomain(row),
    join: joinAddress(fqdn, settings, server.bedrock_port, isManaged && !external),
    unicode: readable(fqdn),
    state: works ? 'works' : 'waiting',
    error: row.records_error,
    checked_at: row.checked_at?.toISOString() ?? null,
    proof_missing_since: row.proof_missing_since?.toISOString() ?? null,
    targets: external
      ? ownTargetsOf({ fqdn, proof: proof ?? '', through: throughOf(server, all) }, game, settings)
      : targetsOf(fqdn, game, settings),
  }
}

function describeClaim(
  settings: Context['settings'],
  server: ServerRow,
  claim: repo.ClaimRow,
  all: repo.DomainRow[],
): Address {
  const { fqdn, proof } = claim
  const [label = '', ...zone] = fqdn.split('.')
  return {
    id: claim.id,
    server_id: claim.server_id,
    user_id: claim.user_id,
    kind: 'secondary',
    fqdn,
    sub_domain: label,
    zone_name: zone.join('.'),
    external_ns: true,
    generated: false,
    created_at: claim.created_at.toISOString(),
    updated_at: claim.updated_at.toISOString(),
    expires: null,
    join: joinAddress(fqdn, settings, server.bedrock_port),
    unicode: readable(fqdn),
    state: 'unproven',
    error: claim.error,
    checked_at: claim.checked_at?.toISOString() ?? null,
    proof_missing_since: null,
    targets: ownTargetsOf({ fqdn, proof, through: throughOf(server, all) }, gameOf(server.game) ?? 'java', settings),
  }
}

const throughOf = (server: ServerRow, all: repo.DomainRow[]) =>
  all.find(({ external }) => !external)?.fqdn ?? server.domains[0]?.fqdn ?? ''

function readable(fqdn: string): string | null {
  const unicode = domainToUnicode(fqdn)
  return unicode === fqdn || unicode === '' ? null : unicode
}
