/** How many connections one address, or one network, may hold, and how fast it may open new ones. */
import { isIPv4 } from 'node:net'

export type Refusal = 'too_many' | 'too_fast'
export type AddressLimits = {
  /** Counts a connection in, or says why not. Each one admitted must be released once. */
  admit(address: string): Refusal | undefined
  release(address: string): void
  /** Addresses being remembered. */
  size(): number
  close(): void
}

type Entry = { open: number; credit: number; at: number }

/**
 * @param connections most open connections.
 * @param rate most new connections in `windowMs`; credit comes back evenly.
 * @param keyOf who counts as one; an address where it is missing
 * @param remembered beyond so many, nobody new is let in until some are forgotten
 */
export function createAddressLimits(options: {
  connections: number
  rate: number
  windowMs?: number
  now?: () => number
  keyOf?: (address: string) => string
  remembered?: number
}): AddressLimits {
  const { connections, rate, windowMs = 10_000, now = () => performance.now() } = options
  const { keyOf = addressKey, remembered = Infinity } = options
  const entries = new Map<string, Entry>()

  function refill(entry: Entry) {
    const at = now()
    entry.credit = Math.min(rate, entry.credit + ((at - entry.at) * rate) / windowMs)
    entry.at = at
  }

  /** Forgets whoever has nothing open and all credit back. */
  function sweep() {
    for (const [key, entry] of entries) {
      if (entry.open > 0) continue
      refill(entry)
      if (entry.credit >= rate) entries.delete(key)
    }
  }
  const timer = setInterval(sweep, windowMs)
  timer.unref()

  function admit(address: string) {
    const key = keyOf(address)
    let entry = entries.get(key)
    if (!entry && entries.size >= remembered) return 'too_fast'
    if (!entry) entries.set(key, (entry = { open: 0, credit: rate, at: now() }))
    refill(entry)
    if (entry.open >= connections) return 'too_many'
    if (entry.credit < 1) return 'too_fast'
    entry.credit -= 1
    entry.open += 1
    return undefined
  }

  function release(address: string) {
    const entry = entries.get(keyOf(address))
    if (entry) entry.open -= 1
  }

  return { admit, release, size: () => entries.size, close: () => clearInterval(timer) }
}

/** IPv4 as such also where a socket that listens for both shows it mapped into IPv6. */
export const plainAddress = (address: string) => (address.startsWith('::ffff:') ? address.slice(7) : address)

/** IPv4 as it is, also when mapped into IPv6; of IPv6 the /64, since one customer commands a whole one. */
export function addressKey(address: string): string {
  const bare = plainAddress(address)
  if (isIPv4(bare)) return bare
  const [head = '', tail] = address.split('%', 1)[0]!.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const gap = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...gap, ...right].slice(0, 4).join(':')
}

/** Of IPv4 the /24, of IPv6 the /48: what one customer of a provider may well command. */
export function networkKey(address: string): string {
  const key = addressKey(address)
  return isIPv4(key) ? key.split('.').slice(0, 3).join('.') : key.split(':').slice(0, 3).join(':')
}
