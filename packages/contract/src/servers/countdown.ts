/** Stops and restarts that players are told of before. */

/** What can be counted down to. */
export const countedActions = ['stop', 'restart'] as const
export type CountedAction = (typeof countedActions)[number]

/** Seconds, at most. */
export const longestCountdown = 600
