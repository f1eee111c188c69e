/**
 * Players who were told to connect anew, now that their game is up. They come back with the intent `transfer`, which
 * most games refuse: for these, and for nobody else, the game is told that they log in. Each is sent back once only.
 */
import { addressKey } from '../address-limits.ts'

export type Transfers = {
  expect(serverId: string, address: string): void
  /** Whether somebody from there was sent back to that server and has not come yet; counts them as having come. */
  take(serverId: string, address: string): boolean
}

const EXPECTED_MS = 60_000
const MAX_EXPECTED = 10_000

export function createTransfers(now: () => number = () => performance.now()): Transfers {
  /** When each of them was sent, oldest first. */
  const sent = new Map<string, number[]>()

  function forget() {
    for (const [key, times] of sent) {
      const left = times.filter((time) => now() - time < EXPECTED_MS)
      if (left.length > 0) sent.set(key, left)
      else sent.delete(key)
    }
  }

  return {
    expect(serverId, address) {
      if (sent.size >= MAX_EXPECTED) forget()
      if (sent.size >= MAX_EXPECTED) return
      const key = `${serverId} ${addressKey(address)}`
      sent.set(key, [...(sent.get(key) ?? []), now()].slice(-1_000))
    },
    take(serverId, address) {
      const key = `${serverId} ${addressKey(address)}`
      const times = sent.get(key)?.filter((time) => now() - time < EXPECTED_MS) ?? []
      const came = times.shift() !== undefined
      if (times.length > 0) sent.set(key, times)
      else sent.delete(key)
      return came
    },
  }
}
