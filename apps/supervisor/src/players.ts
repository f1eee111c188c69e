/** Who plays, put together from the game's console and from its answers to status pings. */
import { type PlayerChange, readPlayerIdentity, readPlayerLine } from '@wakestone/minecraft/player-lines'

export type Players = {
  state(): { online: number; max: number; names: string[] }
  /** Reads one line of the game's output. */
  readLine(text: string): void
  /** Somebody has come or gone, as the game tells by another way than its console; said twice, it counts once. */
  change(change: PlayerChange): void
  /** Takes over the counts of a status answer. */
  setCounts(online: number, max: number): void
  /** The game has ended: nobody plays. */
  clear(): void
}

const CACHED_MS = 8000
/** Of those who were told of and have not come in yet. */
const MOST_IDENTITIES = 100

export function createPlayers({
  onChange,
  onJoin,
  onLeave,
}: {
  onChange: () => void
  onJoin: (name: string, id: string | undefined) => void
  onLeave: (name: string) => void
}): Players {
  const ids = new Map<string, string>()
  const names = new Set<string>()
  let online = 0
  let max = 0
  let lastChange = 0

  function leave(name: string) {
    names.delete(name)
    onLeave(name)
  }

  function take(change: PlayerChange) {
    if (names.has(change.name) === (change.kind === 'joined')) return
    lastChange = Date.now()
    if (change.kind === 'joined') {
      names.add(change.name)
      onJoin(change.name, change.id ?? ids.get(change.name))
      ids.delete(change.name)
    } else leave(change.name)
    // Who has come may have been counted already: games answer a ping before they write the line.
    online = Math.max(names.size, change.kind === 'joined' ? online : online - 1)
    onChange()
  }

  return {
    state: () => ({ online, max, names: [...names] }),
    readLine(text) {
      const known = readPlayerIdentity(text)
      if (known) {
        if (ids.size >= MOST_IDENTITIES) ids.clear()
        ids.set(known.name, known.id)
        return
      }
      const change = readPlayerLine(text)
      if (change) take(change)
    },
    change: take,
    setCounts(nextOnline, nextMax) {
      // Engines answer from a cache of some seconds: a fresh line knows better.
      if (Date.now() - lastChange < CACHED_MS) nextOnline = Math.max(nextOnline, names.size)
      const changed = nextOnline !== online || nextMax !== max
      online = nextOnline
      max = nextMax
      if (online === 0) for (const name of names) leave(name)
      if (changed) onChange()
    },
    clear() {
      for (const name of names) leave(name)
      const changed = online !== 0
      online = 0
      if (changed) onChange()
    },
  }
}
