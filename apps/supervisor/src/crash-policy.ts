/** When a game that crashed is started again. */

/** This many crashes within the window end the restarts. */
export const MAX_CRASHES = 3
export const CRASH_WINDOW_MS = 10 * 60_000
/** Waits before the first, second and each later restart. */
export const BACK_OFF_MS = [10_000, 30_000, 90_000]

export type CrashVerdict = {
  /** Crashes that still count, the new one included; to be kept for the next verdict. */
  crashes: number[]
  tooManyTimes: boolean
  restartInMs: number
}

/**
 * Judges a crash at the time `now` after a run of `ranMs`. Crashes are forgotten once the game has run a whole
 * window without one, so that crashes further apart than the window allows still meet a growing wait.
 */
export function judgeCrash({
  crashes,
  now,
  ranMs,
  backOffMs = BACK_OFF_MS,
}: {
  crashes: readonly number[]
  now: number
  ranMs: number
  backOffMs?: readonly number[]
}): CrashVerdict {
  const counted = [...(ranMs >= CRASH_WINDOW_MS ? [] : crashes), now].slice(-10)
  const recent = counted.filter((time) => time > now - CRASH_WINDOW_MS)
  const wait = backOffMs[Math.min(counted.length, backOffMs.length) - 1] as number
  return { crashes: counted, tooManyTimes: recent.length >= MAX_CRASHES, restartInMs: wait }
}
