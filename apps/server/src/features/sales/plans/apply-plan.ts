import type { Context } from '#src/context.ts'
import type { Transaction } from '#src/db/client.ts'
import { findEffectiveParameters } from '#src/features/sales/services/service.ts'
import { changeLimits, findRentedServer } from '#src/features/servers/servers/service.ts'

/**
 * Gives the server of a service what its plan and add-ons say, in the transaction that changes them.
 * @returns id of the server; undefined where the service has none.
 */
export async function applyPlan(
  deps: Pick<Context, 'boss' | 'settings'>,
  trx: Transaction,
  serviceId: string,
): Promise<string | undefined> {
  const server = await findRentedServer({ db: trx, settings: deps.settings }, serviceId)
  const limits = await findEffectiveParameters(trx, serviceId)
  if (server === undefined || limits === undefined) return undefined
  await changeLimits(deps, trx, server.id, limits)
  return server.id
}
