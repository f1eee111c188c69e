import * as routes from '@wakestone/contract/sales/withdrawals-routes'
import { isAskedOf } from '#src/features/sales/early-start/service.ts'
import { createDiskMeter, findRentedServer } from '#src/features/servers/servers/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { confirmWithdrawal, declareWithdrawal, showWithdrawal } from './service.ts'

export function registerWithdrawalRoutes(api: Api): void {
  const { context } = api
  const diskOf = createDiskMeter(context)
  /** Bytes the files of the service's server take. */
  async function usedBy(serviceId: string): Promise<number> {
    const server = await findRentedServer(context, serviceId)
    return server === undefined ? 0 : diskOf(server.id)
  }
  implement(api, routes.getWithdrawal, ({ params, query }) =>
    showWithdrawal(context.db, params.id, new Date(), query.part),
  )
  implement(api, routes.getEarlyStart, async ({ params }) => ({
    required: await isAskedOf(context.db, params.id, new Date()),
  }))
  implement(api, routes.declareWithdrawal, ({ params, query, user }) =>
    declareWithdrawal(context, {
      serviceId: params.id,
      executorId: user.userId,
      now: new Date(),
      part: query.part,
    }),
  )
  implement(api, routes.confirmWithdrawal, ({ params, body, user }) =>
    confirmWithdrawal(context, {
      serviceId: params.id,
      executorId: user.userId,
      declarationId: body.declaration_id,
      usedBy,
      now: new Date(),
    }),
  )
}
