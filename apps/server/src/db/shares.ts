/**
 * Deals shares of work out among all processes that want some, evenly and without a leader: each share is a lock, and
 * who is there holds one more beside the others. What a process had that was killed is free at once, since PostgreSQL
 * sees its connection end.
 */
import type { Logger } from '@wakestone/kit/logger'
import type { Locks } from './locks.ts'

export type Shares = {
  /** Whether a thing is in a share of this process now. */
  has(id: string): boolean
  /** How many shares this process has. */
  count(): number
  /** Calls back when this process has got shares, or has to do without some: what is in those is to be let go at once. */
  onChange(listener: (change: 'more' | 'less') => Promise<void> | void): void
  /** Gives all back, once what is in them was let go. */
  close(): Promise<void>
}

/**
 * @param name of the work; all processes that share it say the same
 * @param shares how many there are, many times as many as processes
 */
export function createShares({
  locks,
  logger,
  name,
  shares = 64,
  turnMilliseconds = 1_000,
}: {
  locks: Pick<Locks, 'tryHold' | 'join' | 'countHolders' | 'onLost'>
  logger: Logger
  name: string
  shares?: number
  /** How often it is looked who is there. */
  turnMilliseconds?: number
}): Shares {
  const member = `${name}: member`
  const lockOf = (share: number) => `${name}: share ${share}`
  const lockNames = Array.from({ length: shares }, (_, share) => lockOf(share))
  const held = new Map<number, () => Promise<void>>()
  const listeners: ((change: 'more' | 'less') => Promise<void> | void)[] = []
  let leave: (() => Promise<void>) | undefined
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const tell = async (change: 'more' | 'less') => {
    for (const listener of listeners) await listener(change)
  }
  locks.onLost(() => {
    leave = undefined
    held.clear()
    void tell('less')
  })

  async function giveBack(count: number) {
    const given = [...held].slice(0, count)
    for (const [share] of given) held.delete(share)
    await tell('less') // first: whoever takes them next must not meet us there
    for (const [, release] of given) await release()
  }

  /** As many as are free, up to a fair part. Everybody begins elsewhere, so that few ask for the same. */
  async function take(count: number, taken: ReadonlyMap<string, number>) {
    const before = held.size
    const start = Math.floor(Math.random() * shares)
    for (let step = 0; step < shares && held.size < before + count && !isClosed; step++) {
      const share = (start + step) % shares
      if (held.has(share) || taken.has(lockOf(share))) continue
      const release = await locks.tryHold(lockOf(share))
      if (release !== undefined) held.set(share, release)
    }
    if (held.size > before) await tell('more')
  }

  async function turn() {
    leave ??= await locks.join(member)
    const taken = await locks.countHolders([member, ...lockNames])
    const fair = Math.ceil(shares / Math.max(1, taken.get(member) ?? 1))
    if (held.size > fair) await giveBack(held.size - fair)
    else if (held.size < fair) await take(fair - held.size, taken)
  }

  let turning: Promise<void> = Promise.resolve()
  function turnOnce() {
    turning = turn()
      .catch((error: unknown) => logger.warn({ error, name }, 'work cannot be shared out now'))
      .then(() => {
        if (!isClosed) timer = setTimeout(turnOnce, turnMilliseconds)
      })
  }
  // Whoever waits for shares has to be heard first.
  timer = setTimeout(turnOnce, 0)

  return {
    has: (id) => held.has(shareOf(id, shares)),
    count: () => held.size,
    onChange: (listener) => void listeners.push(listener),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await turning
      await giveBack(held.size)
      await leave?.()
    },
  }
}

/** The last digits of a UUID are random, also of those that begin with the time. */
const shareOf = (id: string, shares: number) => Number.parseInt(id.slice(-8), 16) % shares
