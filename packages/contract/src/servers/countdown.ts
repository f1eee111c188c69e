/** Stops and restarts that players are warned of. */

export type CountedAction = 'stop' | 'restart'

/** Seconds, at most. */
export const longestCountdown = 600
