/** Keeps what gateways thaw games with, so that routes do not change with each look at them. */
import type { ThawGrant } from '@wakestone/protocol/gateway'
import type { Context } from '#src/context.ts'

/** Of a week; gateways go on with what they have while the API is away. */
const renewAfterMilliseconds = 24 * 3_600_000

export type ThawGrants = {
  /** For a game that is frozen. */
  find(serverId: string): Promise<ThawGrant | null>
  /** It is not frozen any more. */
  forget(serverId: string): void
}

export function createThawGrants({ fleet }: Pick<Context, 'fleet'>): ThawGrants {
  const kept = new Map<string, { grant: ThawGrant; at: number }>()
  return {
    async find(serverId) {
      const known = kept.get(serverId)
      if (known && performance.now() - known.at < renewAfterMilliseconds) return known.grant
      const grant = await fleet.grantThaw(serverId)
      if (grant) kept.set(serverId, { grant, at: performance.now() })
      return grant ?? null
    },
    forget: (serverId) => void kept.delete(serverId),
  }
}
