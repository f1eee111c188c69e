/** Keeps what gateways thaw games with, and reach those behind agents, so that routes do not change with each look at them. */
import type { GameWay, ThawGrant } from '@wakestone/protocol/gateway'
import type { Context } from '#src/context.ts'

/** Of a week; gateways go on with what they have while the API is away. */
const renewAfterMilliseconds = 24 * 3_600_000

type Grants<Grant> = {
  find(serverId: string): Promise<Grant | null>
  /** It is not needed any more. */
  forget(serverId: string): void
}
type ThawGrants = Grants<ThawGrant>

/** For games that are frozen. */
export const createThawGrants = ({ fleet }: Pick<Context, 'fleet'>): ThawGrants =>
  keepGrants((serverId) => fleet.grantThaw(serverId))

/** For games behind agents. */
export const createWays = ({ fleet }: Pick<Context, 'fleet'>): Grants<GameWay> =>
  keepGrants((serverId) => fleet.grantWay(serverId))

function keepGrants<Grant>(make: (serverId: string) => Promise<Grant | undefined>): Grants<Grant> {
  const kept = new Map<string, { grant: Grant; at: number }>()
  return {
    async find(serverId) {
      const known = kept.get(serverId)
      if (known && performance.now() - known.at < renewAfterMilliseconds) return known.grant
      const grant = await make(serverId)
      if (grant) kept.set(serverId, { grant, at: performance.now() })
      return grant ?? null
    },
    forget: (serverId) => void kept.delete(serverId),
  }
}
