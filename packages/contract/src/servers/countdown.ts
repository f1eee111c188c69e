/** What players are warned of before their server goes down under them. */
import { z } from 'zod'

export type CountedAction = 'stop' | 'restart'

/** Seconds, at most. */
export const longestCountdown = 600
/** How long players are warned before the game is stopped for something; nobody is waited for where nobody plays. */
export const inSecondsSchema = z.int().min(0).max(longestCountdown).default(0)
