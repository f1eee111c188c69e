/** Counts what came of joins, by server and minute, until it is told. */
import { dropOldest } from './recent.ts'
import type { AntibotMinute, AntibotReason } from '@wakestone/contract/servers/antibot'

export type Counted = 'joins' | 'verified' | AntibotReason

export type Figures = {
  count(serverId: string, what: Counted): void
  /** Minutes that have changed since they were told last, so many at most; the oldest first. */
  untold(most: number): AntibotMinute[]
  /** They have arrived. What was counted meanwhile is untold again. */
  told(minutes: readonly AntibotMinute[]): void
  size(): number
}

const MINUTE_MS = 60_000
/** While nobody can be told, the oldest are given up beyond so many. */
const MOST_MINUTES = 5_000

/** @param now milliseconds of the calendar */
export function createFigures(now: () => number = () => Date.now()): Figures {
  const minutes = new Map<string, { minute: AntibotMinute; changes: number; told: number }>()
  /** As many changes as each of them had when it was handed out. */
  const handedOut = new WeakMap<AntibotMinute, number>()
  const keyOf = ({ serverId, at }: Pick<AntibotMinute, 'serverId' | 'at'>) => `${serverId} ${at}`

  return {
    count(serverId, what) {
      const at = new Date(Math.floor(now() / MINUTE_MS) * MINUTE_MS).toISOString()
      const key = keyOf({ serverId, at })
      let entry = minutes.get(key)
      if (!entry) {
        entry = { minute: { serverId, at, joins: 0, verified: 0, turnedAway: {} }, changes: 0, told: 0 }
        minutes.set(key, entry)
        dropOldest(minutes, MOST_MINUTES)
      }
      entry.changes += 1
      const { minute } = entry
      if (what === 'joins' || what === 'verified') minute[what] += 1
      else minute.turnedAway[what] = (minute.turnedAway[what] ?? 0) + 1
    },
    untold(most) {
      const list: AntibotMinute[] = []
      for (const { minute, changes, told } of minutes.values()) {
        if (changes === told) continue
        if (list.length >= most) break
        const copy = { ...minute, turnedAway: { ...minute.turnedAway } }
        handedOut.set(copy, changes)
        list.push(copy)
      }
      return list
    },
    told(list) {
      const presentMinute = Math.floor(now() / MINUTE_MS) * MINUTE_MS
      for (const minute of list) {
        const entry = minutes.get(keyOf(minute))
        if (!entry) continue
        entry.told = handedOut.get(minute) ?? entry.told
        if (entry.told === entry.changes && Date.parse(minute.at) < presentMinute) minutes.delete(keyOf(minute))
      }
    },
    size: () => minutes.size,
  }
}
