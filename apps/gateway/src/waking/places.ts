/** Room for players who wait for a game to come up: so many for each server, so many in all. */
export type Places = {
  /** False: there is no room. Each place taken is given back once. */
  take(serverId: string): boolean
  giveBack(serverId: string): void
  taken(): number
}

export function createPlaces({ perServer, inAll }: { perServer: number; inAll: number }): Places {
  const counts = new Map<string, number>()
  let all = 0
  return {
    take(serverId) {
      const count = counts.get(serverId) ?? 0
      if (all >= inAll || count >= perServer) return false
      counts.set(serverId, count + 1)
      all += 1
      return true
    },
    giveBack(serverId) {
      const left = (counts.get(serverId) ?? 0) - 1
      if (left < 0) return
      if (left === 0) counts.delete(serverId)
      else counts.set(serverId, left)
      all -= 1
    },
    taken: () => all,
  }
}
