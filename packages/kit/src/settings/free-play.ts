/** How free servers share the places that there are for them. */
import { z } from 'zod'
import type { Setting } from './setting.ts'

export const freePlay = {
  FREE_PLACES: {
    group: 'Servers',
    about:
      'Free servers that can run at the same time on a cluster without a number of its own (`clusters.free_places`).',
    takes: 'a number',
    schema: z.coerce.number().int().min(0).max(100_000),
    fallback: '20',
  },
  FREE_SESSION_HOURS: {
    group: 'Servers',
    about: 'How long a free server can be up at a stretch, from the start of its game.',
    takes: 'hours',
    schema: z.coerce.number().positive().max(24),
    fallback: '4',
  },
  FREE_DAY_HOURS: {
    group: 'Servers',
    about:
      'How long a free server can be up in one day of its owner’s time zone. Hours from invitations are added to this.',
    takes: 'hours',
    schema: z.coerce.number().positive().max(24),
    fallback: '8',
  },
  FREE_CONFIRM_SECONDS: {
    group: 'Servers',
    about: 'Time to accept an offered place before it goes to the next in the queue.',
    takes: 'seconds',
    schema: z.coerce.number().int().min(1).max(86_400),
    fallback: '120',
  },
  FREE_RESERVED_MINUTES: {
    group: 'Servers',
    about: 'Time in which someone who has taken a place but has no server yet has to rent one.',
    takes: 'minutes',
    schema: z.coerce.number().positive().max(1_440),
    fallback: '30',
  },
} as const satisfies Record<string, Setting>
