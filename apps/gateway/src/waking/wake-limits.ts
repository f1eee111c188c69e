/** How often one address, one network and all of them together may wake servers, and how often one server is woken. */
import { addressKey, networkKey } from '../address-limits.ts'

export type WakeLimits = {
  /** Whether a wake may be ordered; counts it if so. */
  admit(wake: { serverId: string; address: string }): boolean
  /** Who is being remembered. */
  size(): number
  close(): void
}

/** Who is remembered at most; beyond that nobody new wakes anything until some are forgotten. */
const MAX_REMEMBERED = 100_000

type Credit = { left: number; at: number }

/** Each number is of wakes in `windowMs`; credit comes back evenly. */
export function createWakeLimits(options: {
  perAddress: number
  perNetwork: number
  perServer: number
  windowMs?: number
  now?: () => number
}): WakeLimits {
  const { perAddress, perNetwork, perServer, windowMs = 600_000, now = () => performance.now() } = options
  const credits = new Map<string, Credit & { most: number }>()
  const timer = setInterval(sweep, windowMs / 10)
  timer.unref()

  function refill(credit: Credit & { most: number }) {
    const at = now()
    credit.left = Math.min(credit.most, credit.left + ((at - credit.at) * credit.most) / windowMs)
    credit.at = at
  }

  /** Forgets those who have all their credit back. */
  function sweep() {
    for (const [key, credit] of credits) {
      refill(credit)
      if (credit.left >= credit.most) credits.delete(key)
    }
  }

  function creditOf(key: string, most: number) {
    let credit = credits.get(key)
    if (credit) refill(credit)
    else if (credits.size < MAX_REMEMBERED) credits.set(key, (credit = { left: most, at: now(), most }))
    return credit ?? { left: 0, at: 0, most }
  }

  function admit({ serverId, address }: { serverId: string; address: string }) {
    const concerned = [
      creditOf(`address ${addressKey(address)}`, perAddress),
      creditOf(`network ${networkKey(address)}`, perNetwork),
      creditOf(`server ${serverId}`, perServer),
    ]
    if (concerned.some(({ left }) => left < 1)) return false
    for (const credit of concerned) credit.left -= 1
    return true
  }

  return { admit, size: () => credits.size, close: () => clearInterval(timer) }
}
