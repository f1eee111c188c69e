/** How free servers share the places that there are for them. */
import { z } from 'zod'
import type { Setting } from './setting.ts'

export const freePlay = {
  FREE_PLACES: {
    group: 'Servers',
    about: 'Free servers that run at once on a cluster which has no number of its own (`clusters.free_places`).',
    takes: 'a number',
    schema: z.coerce.number().int().min(0).max(100_000),
    fallback: '20',
  },
  FREE_SESSION_HOURS: {
    group: 'Servers',
    about: 'Time a free server is up at a stretch, from the start of its game.',
    takes: 'hours',
    schema: z.coerce.number().positive().max(24),
    fallback: '4',
  },
  FREE_DAY_HOURS: {
    group: 'Servers',
    about: 'Time a free server is up in one day of its owner’s time zone. Hours from invitations come on top.',
    takes: 'hours',
    schema: z.coerce.number().positive().max(24),
    fallback: '8',
  },
  FREE_CONFIRM_SECONDS: {
    group: 'Servers',
    about: 'Time in which somebody whose turn has come takes their place; then it is the next one’s.',
    takes: 'seconds',
    schema: z.coerce.number().int().min(1).max(86_400),
    fallback: '120',
  },
  FREE_RESERVED_MINUTES: {
    group: 'Servers',
    about: 'Time in which somebody who took a place and has no server yet rents one.',
    takes: 'minutes',
    schema: z.coerce.number().positive().max(1_440),
    fallback: '30',
  },
} as const satisfies Record<string, Setting>
