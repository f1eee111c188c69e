/** How often the status of a server is asked for whose events are followed: what counts comes as an event anyway. */

const soonestMilliseconds = 5_000
/** Of a game that is up, what it uses is written for each minute, so it is asked once in each. */
const latestOfUp = 50_000
const latestOfDown = 300_000
/** Looks that one worker takes in a second, at most: then it is asked less often, as far as the above allows. */
const looksOfUp = 100
const looksOfDown = 25

/** @param followed by this worker */
export function lookPause({ isUp, followed }: { isUp: boolean; followed: number }): number {
  const even = (followed * 1000) / (isUp ? looksOfUp : looksOfDown)
  const pause = Math.min(Math.max(soonestMilliseconds, even), isUp ? latestOfUp : latestOfDown)
  return pause * (0.9 + Math.random() / 5) // those that began together are not all asked together for ever
}

/** Sleeps until a moment that may be brought forward. */
export function createAlarm(first: number) {
  let due = performance.now() + first
  let rearm: (() => void) | undefined
  return {
    /** Not before: what is due sooner stays. */
    within(most: number) {
      const at = performance.now() + most
      if (at >= due) return
      due = at
      rearm?.()
    },
    /** @throws the reason of `signal` */
    sleep(signal: AbortSignal): Promise<void> {
      return new Promise((resolve, reject) => {
        let timer: NodeJS.Timeout | undefined
        const done = () => {
          clearTimeout(timer)
          rearm = undefined
          signal.removeEventListener('abort', done)
          if (signal.aborted) reject(signal.reason as Error)
          else resolve()
        }
        rearm = () => {
          clearTimeout(timer)
          timer = setTimeout(done, Math.max(0, due - performance.now()))
        }
        if (signal.aborted) return done()
        signal.addEventListener('abort', done, { once: true })
        rearm()
      })
    },
    set(milliseconds: number) {
      due = performance.now() + milliseconds
    },
  }
}
