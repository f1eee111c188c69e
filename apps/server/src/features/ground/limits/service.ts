/**
 * How often somebody may ask for what costs us something: per address, and per account or mailbox where there is one.
 */
import { isIPv6 } from 'node:net'
import { DomainError, type ResourceKind } from '@wakestone/contract/errors'
import { plainAddress } from '@wakestone/kit/plain-address'
import type { Settings } from '@wakestone/kit/settings'
import type { Context } from '#src/context.ts'
import type { Db } from '#src/db/client.ts'
import { dropEmptyBuckets, pourInto, roomIn, takeOut } from './repo.ts'

type CountSetting = { [Name in keyof Settings]: Settings[Name] extends number ? Name : never }[keyof Settings]
type Who = {
  ip?: string
  userId?: string | undefined
  email?: string | undefined
  serverOfUser?: string | undefined
  serverId?: string
}
type Share = { subject: string; shareSeconds: number }

/** The setting says how many in an hour, 0 for no limit. As many may come at once; then each waits for its share. */
const limits = {
  register: { setting: 'LIMIT_REGISTRATIONS', resource: 'user' },
  transaction: { setting: 'LIMIT_TRANSACTIONS', resource: 'transactions' },
  paypalReturn: { setting: 'LIMIT_TRANSACTIONS', resource: 'transactions' },
  forgery: { setting: 'LIMIT_FORGERIES', resource: 'transactions' },
  review: { setting: 'LIMIT_TICKETS', resource: 'ticket' },
  ticket: { setting: 'LIMIT_TICKETS', resource: 'ticket' },
  shopQuote: { setting: 'LIMIT_SHOP_QUOTES', resource: 'transactions' },
  shopOrder: { setting: 'LIMIT_SHOP_ORDERS', resource: 'transactions' },
  ticketMessage: { setting: 'LIMIT_TICKET_MESSAGES', resource: 'ticket' },
  ticketMail: { setting: 'LIMIT_TICKET_MESSAGES', resource: 'ticket' },
  newsletter: { setting: 'LIMIT_NEWSLETTER', resource: 'email' },
  discord: { setting: 'LIMIT_DISCORD', resource: 'social' },
  click: { setting: 'LIMIT_CLICKS', resource: 'referral_code' },
  webhooks: { setting: 'LIMIT_WEBHOOK_CALLS', resource: 'event' },
  export: { setting: 'LIMIT_EXPORTS', resource: 'event' },
  print: { setting: 'LIMIT_PRINTS', resource: 'invoice' },
  mail: { setting: 'LIMIT_MAILS', resource: 'email' },
  takenAddress: { setting: 'LIMIT_TAKEN_ADDRESSES', resource: 'email' },
  power: { setting: 'LIMIT_POWER', resource: 'server' },
  wake: { setting: 'LIMIT_WAKES', resource: 'server' },
  files: { setting: 'LIMIT_FILE_CHANGES', resource: 'file' },
  fetch: { setting: 'LIMIT_FILE_FETCHES', resource: 'file' },
  players: { setting: 'LIMIT_PLAYER_CHANGES', resource: 'server' },
  projects: { setting: 'LIMIT_PROJECT_CHANGES', resource: 'market_project' },
  packages: { setting: 'LIMIT_PACKAGE_SEARCHES', resource: 'package' },
  previews: { setting: 'LIMIT_PREVIEWS', resource: 'market_project' },
  projectReports: { setting: 'LIMIT_PROJECT_REPORTS', resource: 'market_project' },
  shopPictures: { setting: 'LIMIT_WEBSITE_PICTURES', resource: 'server' },
  websitePictures: { setting: 'LIMIT_WEBSITE_PICTURES', resource: 'website' },
  addresses: { setting: 'LIMIT_ADDRESS_CHANGES', resource: 'domain' },
  voucher: {
    setting: 'LIMIT_VOUCHER_FAILURES',
    ofAddress: 'LIMIT_VOUCHER_FAILURES_PER_ADDRESS',
    resource: 'voucher',
  },
} as const satisfies Record<string, { setting: CountSetting; ofAddress?: CountSetting; resource: ResourceKind }>

const hourSeconds = 3600

/** @throws DomainError `too_many_requests` with `retry_after` in seconds. */
export async function requireWithinLimit(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  action: keyof typeof limits,
  who: Who,
): Promise<void> {
  await pourAll(db, action, sharesOf(settings, action, who))
}

/**
 * Counts only what fails: a share is taken before the work, so that none of many at once slips through, and given back
 * unless the work fails in the way that is counted.
 * @throws DomainError `too_many_requests`, and whatever `work` throws.
 */
export async function limitFailures<Result>(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  { action, who, isFailure }: { action: keyof typeof limits; who: Who; isFailure: (error: unknown) => boolean },
  work: () => Promise<Result>,
): Promise<Result> {
  const shares = sharesOf(settings, action, who)
  await pourAll(db, action, shares)
  const giveBack = async () => {
    for (const share of shares) await takeOut(db, share)
  }
  let result: Result
  try {
    result = await work()
  } catch (error) {
    if (!isFailure(error)) await giveBack()
    throw error
  }
  await giveBack()
  return result
}

/**
 * Refuses whoever has filled their bucket, and pours nothing: for what is counted by `count` once it is known to be bad.
 * Of many at once some more slip through.
 * @throws DomainError `too_many_requests` with `retry_after` in seconds.
 */
export async function requireRoom(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  action: keyof typeof limits,
  who: Who,
): Promise<void> {
  for (const share of sharesOf(settings, action, who)) {
    const wait = await roomIn(db, { ...share, bucketSeconds: hourSeconds })
    if (wait > 0) throw new DomainError('too_many_requests', { resource: limits[action].resource, retry_after: wait })
  }
}

/** Counts one. @returns whether there is room for another. */
export async function count(
  { db, settings }: Pick<Context, 'db' | 'settings'>,
  action: keyof typeof limits,
  who: Who,
): Promise<boolean> {
  let hasRoom = true
  await dropEmptyBuckets(db)
  for (const share of sharesOf(settings, action, who)) {
    const bucket = { ...share, bucketSeconds: hourSeconds }
    hasRoom = (await pourInto(db, bucket)) === 0 && (await roomIn(db, bucket)) === 0 && hasRoom
  }
  return hasRoom
}

/** Nothing for what has no limit. */
function sharesOf(settings: Settings, action: keyof typeof limits, who: Who): Share[] {
  const limit: { setting: CountSetting; ofAddress?: CountSetting } = limits[action]
  return Object.entries({ ...who, ip: who.ip === undefined ? undefined : networkOf(who.ip) }).flatMap(
    ([kind, name]) => {
      const perHour = settings[(kind === 'ip' ? limit.ofAddress : undefined) ?? limit.setting]
      if (name === undefined || perHour === 0) return []
      // Rounded down to what PostgreSQL's clock tells apart, so that all shares fit.
      const shareSeconds = Math.floor((hourSeconds * 1e6) / perHour) / 1e6
      return [{ subject: `${action}:${kind}:${name.toLowerCase()}`, shareSeconds }]
    },
  )
}

async function pourAll(db: Db, action: keyof typeof limits, shares: Share[]): Promise<void> {
  if (shares.length === 0) return
  await dropEmptyBuckets(db)
  for (const share of shares) {
    const wait = await pourInto(db, { ...share, bucketSeconds: hourSeconds })
    if (wait > 0) throw new DomainError('too_many_requests', { resource: limits[action].resource, retry_after: wait })
  }
}

/** Beyond this many subjects all that wait are asked about again. */
const waitingKept = 20_000
const askAgainMilliseconds = 1_000

export type Buckets = {
  /** Pours one in. @returns seconds until the subject has room for it; 0 when it was poured. */
  pour(subject: string): Promise<number>
  /** Takes one out again: it was none after all. */
  takeBack(subject: string): Promise<void>
}

/**
 * Leaky buckets that all processes share: each subject may pour `capacity` at once; one leaks out every `leakSeconds`.
 * Whoever is refused is remembered here for a second, so that refusing a flood costs the database next to nothing.
 */
export function createBuckets(
  { db }: Pick<Context, 'db'>,
  { name, capacity, leakSeconds }: { name: string; capacity: number; leakSeconds: number },
): Buckets {
  const shareSeconds = Math.floor(leakSeconds * 1e6) / 1e6
  const waiting = new Map<string, number>()
  return {
    async pour(who) {
      const subject = `${name}:${who}`
      const left = (waiting.get(subject) ?? 0) - Date.now()
      if (left > 0) return Math.ceil(left / 1000)
      const wait = await pourInto(db, { subject, shareSeconds, bucketSeconds: capacity * leakSeconds })
      if (wait === 0) waiting.delete(subject)
      else {
        if (waiting.size >= waitingKept) waiting.clear()
        waiting.set(subject, Date.now() + askAgainMilliseconds)
        await dropEmptyBuckets(db)
      }
      return wait
    },
    async takeBack(who) {
      const subject = `${name}:${who}`
      waiting.delete(subject)
      await takeOut(db, { subject, shareSeconds })
    },
  }
}

/** What one customer holds of an address: all of an IPv4 address, the first 64 bits of an IPv6 one. */
export function networkOf(ip: string): string {
  const address = plainAddress(ip)
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  const groups = [...left, ...gap, ...right].slice(0, 4)
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}
