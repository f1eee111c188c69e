/** Whom a sleeping server is not woken for, because its game would not let them in. Gateways and the API ask the same. */
import type { Door } from './supervisor.ts'

export type Visitor = {
  /** Unproven; null where the game asks for it only when it is up. */
  name: string | null
  address: string
}
export type Refusal = 'banned' | 'banned_address' | 'not_whitelisted'

const MAPPED = '::ffff:'

/** Undefined: they may come in, as far as is known. */
export function refusalAtDoor(door: Door | null, { name, address }: Visitor): Refusal | undefined {
  if (!door) return undefined
  const bare = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : address
  if (door.bannedAddresses.includes(bare)) return 'banned_address'
  if (name === null) return undefined
  const lower = name.toLowerCase()
  if (door.banned.includes(lower)) return 'banned'
  return door.whitelist && !door.whitelist.includes(lower) ? 'not_whitelisted' : undefined
}
