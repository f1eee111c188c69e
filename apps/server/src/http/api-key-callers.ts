/**
 * Callers who come with `Authorization: Bearer wk_…`. What a key may do is kept in memory until PostgreSQL tells that
 * it changed; keys that do not exist are held off by address, and keys that call too often by themselves, whichever process they
 * reach.
 */
import { plainAddress } from '@wakestone/kit/plain-address'
import { BlockList, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { DomainError } from '@wakestone/contract/errors'
import type { Context } from '#src/context.ts'
import type { ToldCache } from '#src/db/told-cache.ts'
import { createBuckets, networkOf } from '#src/features/ground/limits/service.ts'
import { hashApiKey, isApiKey, touchApiKey } from '#src/features/accounts/api-keys/service.ts'
import { type FoundApiKey, findApiKey } from '#src/features/accounts/sign-in/service.ts'
import type { KeyPrincipal } from './principal.ts'

const touchMilliseconds = 60_000
/** Unknown keys from one address: so many at once, then one in as many seconds. */
const failuresAtOnce = 20
const failureSeconds = 3

export type KnownKey = { userId: string; found: FoundApiKey; isAllowedFrom: (ip: string) => boolean; touched: number }

/** The bearer token of a request to the API; undefined when it has none. With one, cookies count for nothing. */
export function bearerOf({ url, headers }: Pick<FastifyRequest, 'url' | 'headers'>): string | undefined {
  if (!url.startsWith('/api/v1/')) return undefined
  return /^bearer\s+(.*)$/i.exec(headers.authorization ?? '')?.[1]
}

/**
 * Makes the one function that finds the caller of a key.
 * @throws DomainError (the function) `unauthorized` for a key that is not, is no more, or is not used where it may be;
 *   `too_many_requests` with `retry_after`.
 */
export function createKeyCallers(context: Context, cache: ToldCache<KnownKey>) {
  const failures = createBuckets(context, {
    name: 'api_key:unknown',
    capacity: failuresAtOnce,
    leakSeconds: failureSeconds,
  })
  const perMinute = context.settings.LIMIT_API_KEY_CALLS
  const calls =
    perMinute === 0
      ? undefined
      : createBuckets(context, { name: 'api_key:calls', capacity: perMinute, leakSeconds: 60 / perMinute })

  async function look(hash: Buffer, network: string): Promise<KnownKey | undefined> {
    requireRoom(await failures.pour(network)) // before the look: many at once are many
    const found = await findApiKey(context.db, { hash })
    if (found === undefined) return undefined
    await failures.takeBack(network)
    return { userId: found.principal.userId, found, isAllowedFrom: compile(found.addressRanges), touched: 0 }
  }

  return async ({ key, ip }: { key: string; ip: string }): Promise<KeyPrincipal> => {
    if (!isApiKey(key)) throw new DomainError('unauthorized')
    const hash = hashApiKey(key)
    const known = await cache.find(hash.toString('base64'), () => look(hash, networkOf(ip)))
    if (known === undefined) throw new DomainError('unauthorized')
    const { principal, expiresAt } = known.found
    if (expiresAt !== null && expiresAt.getTime() <= Date.now()) throw new DomainError('unauthorized')
    if (!known.isAllowedFrom(ip)) throw new DomainError('unauthorized')
    requireRoom((await calls?.pour(principal.apiKey.id)) ?? 0)
    if (Date.now() - known.touched >= touchMilliseconds) {
      known.touched = Date.now()
      await touchApiKey(context.db, principal.apiKey.id, ip)
    }
    return principal
  }
}

function requireRoom(wait: number): void {
  if (wait > 0) throw new DomainError('too_many_requests', { resource: 'api_key', retry_after: wait })
}

/** Whether an address lies in one of these CIDR blocks; any address where there is none. */
export function compile(ranges: readonly string[]): (ip: string) => boolean {
  if (ranges.length === 0) return () => true
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  }
  return (ip) => {
    const address = plainAddress(ip)
    return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
}
