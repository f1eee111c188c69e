/** So many in a time; credit comes back evenly. */
export type Credit = { take(): boolean }

export function createCredit(most: number, windowMs: number, now: () => number): Credit {
  let left = most
  let at = now()
  return {
    take() {
      left = Math.min(most, left + ((now() - at) * most) / windowMs)
      at = now()
      if (left < 1) return false
      left -= 1
      return true
    },
  }
}
