/** A rate: so much at once, so much per second in the long run. */
export type Bucket = {
  /** Takes from what is there; whoever finds something may take more than that, and it is owed. */
  take(amount?: number): boolean
  /** Milliseconds until something is there. */
  wait(): number
}

export function createBucket({ burst, perSecond }: { burst: number; perSecond: number }): Bucket {
  let level = burst
  let filled = performance.now()
  function fill() {
    const now = performance.now()
    level = Math.min(burst, level + ((now - filled) / 1000) * perSecond)
    filled = now
  }
  return {
    take(amount = 1) {
      fill()
      if (level <= 0) return false
      level -= amount
      return true
    },
    wait() {
      fill()
      return level > 0 ? 0 : Math.ceil((-level / perSecond) * 1000) + 1
    },
  }
}
