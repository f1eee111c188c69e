import { randomUUID } from 'node:crypto'
import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/sales/billings-routes'
import { showService } from '#src/features/sales/renewals/service.ts'
import { createDiskMeter, findRentedServer } from '#src/features/servers/servers/service.ts'
import { listTransactionsOfService } from '#src/features/money/statements/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { addToService, removeFromService } from './add-ons.ts'
import { changeService } from './change.ts'
import { cancelPlannedChange } from './planned.ts'
import { quoteAddOns, quoteUpgrade } from './quote.ts'

export function registerPlanRoutes(api: Api): void {
  const { context } = api
  const diskOf = createDiskMeter(context)
  /** Bytes the files of the service's server take. */
  async function usedBy(serviceId: string): Promise<number> {
    const server = await findRentedServer(context, serviceId)
    return server === undefined ? 0 : diskOf(server.id)
  }
  async function requireUsedBy(serviceId: string): Promise<number> {
    try {
      return await usedBy(serviceId)
    } catch (error) {
      context.logger.warn({ error, serviceId }, 'the files of a server cannot be measured')
      throw new DomainError('service_unavailable')
    }
  }
  const keyOf = (key: string | undefined) => (key === undefined ? randomUUID() : `key:${key}`)

  implement(api, routes.getServiceUpgrade, async ({ params }) =>
    quoteUpgrade(context.db, params.id, { now: new Date(), used: await usedBy(params.id).catch(() => null) }),
  )
  implement(api, routes.upgradeService, async ({ params, body, user, idempotencyKey }) =>
    changeService(context, {
      serviceId: params.id,
      executorId: user.userId,
      body,
      key: keyOf(idempotencyKey),
      used: body.when === 'now' ? await requireUsedBy(params.id) : null,
      now: new Date(),
    }),
  )
  implement(api, routes.cancelServiceUpgrade, async ({ params, user }) => {
    await cancelPlannedChange(context, { serviceId: params.id, executorId: user.userId, now: new Date() })
    return showService(context, params.id)
  })
  implement(api, routes.listServiceAddOns, ({ params }) => quoteAddOns(context.db, params.id, new Date()))
  implement(api, routes.addServiceAddOn, ({ params, body, user, idempotencyKey }) =>
    addToService(context, {
      serviceId: params.id,
      executorId: user.userId,
      body,
      key: keyOf(idempotencyKey),
      now: new Date(),
    }),
  )
  implement(api, routes.listServiceTransactions, ({ params, query }) =>
    listTransactionsOfService(context.db, params.id, { after: query.after, limit: query.limit }),
  )
  implement(api, routes.removeServiceAddOn, async ({ params, user }) => {
    await removeFromService(context, {
      serviceId: params.id,
      addOnId: params.addOnId,
      executorId: user.userId,
      key: `remove:${params.addOnId}`,
      used: await requireUsedBy(params.id),
      now: new Date(),
    })
    return showService(context, params.id)
  })
}
