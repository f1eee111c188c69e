/** Who may take how many of the places in which servers are looked at, so that nobody takes them all. */

const placesOfOwner = 3
/** For all whose supervisors were slow of late, together. */
const placesOfSlow = 2
const slowMilliseconds = 2_000
const rememberMilliseconds = 10 * 60_000

export type Lanes = {
  /** Takes a place. @returns how to give it back; undefined when there is none now. */
  enter(entry: { serverId: string; ownerId: string }): (() => void) | undefined
}

export function createLanes(): Lanes {
  const taken = new Map<string, number>()
  const slowUntil = new Map<string, number>()
  const count = (lane: string, change: number) => {
    const now = (taken.get(lane) ?? 0) + change
    if (now === 0) taken.delete(lane)
    else taken.set(lane, now)
  }

  return {
    enter({ serverId, ownerId }) {
      const began = performance.now()
      const isSlow = (slowUntil.get(serverId) ?? 0) > began
      if (!isSlow) slowUntil.delete(serverId)
      const lanes = [ownerId, ...(isSlow ? ['slow'] : [])]
      const isFull = (lane: string) => (taken.get(lane) ?? 0) >= (lane === 'slow' ? placesOfSlow : placesOfOwner)
      if (lanes.some(isFull)) return undefined
      for (const lane of lanes) count(lane, 1)
      return () => {
        for (const lane of lanes) count(lane, -1)
        const ended = performance.now()
        if (ended - began > slowMilliseconds) slowUntil.set(serverId, ended + rememberMilliseconds)
      }
    },
  }
}
