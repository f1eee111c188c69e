import type { Context } from '#src/context.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'

type Wisher = { userId: string; serverId: string }

/**
 * Each wish is an event that is kept and a job: one person has so many for one server. Ends are counted apart, so that
 * who has started too often can still stop.
 */
export const requireFewWishes = (
  context: Context,
  { userId, serverId }: Wisher,
  { toEnd = false }: { toEnd?: boolean } = {},
) => requireWithinLimit(context, 'power', { serverOfUser: `${userId} ${serverId}${toEnd ? ' end' : ''}` })
