import * as routes from '@wakestone/contract/money/transactions-routes'
import { createGateways } from '#src/adapters/payments/registry.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { createDeposit, listProviders, listProvidersOfServer, sendCode } from './deposits.ts'
import { completePaypal } from './paypal-return.ts'
import { getTransaction } from './service.ts'

export function registerTransactionRoutes(api: Api): void {
  const { context } = api
  const gateways = createGateways(context.settings)
  implement(api, routes.listProviders, ({ user }) => listProviders(context, gateways, user))
  implement(api, routes.listProvidersOfServer, ({ user, params }) =>
    listProvidersOfServer(context, gateways, { user, serverId: params.id }),
  )
  implement(api, routes.createTransaction, async ({ user, body, idempotencyKey, ip }) => {
    await requireWithinLimit(context, 'transaction', { ip, userId: user.userId })
    return createDeposit(context, gateways, { user, body, key: idempotencyKey, ip })
  })
  implement(api, routes.completePaypal, async ({ user, body, ip }) => {
    await requireWithinLimit(context, 'paypalReturn', { ip, userId: user.userId })
    const { transaction_id: transactionId, cancelled: isCancelled } = body
    return completePaypal(context, gateways, { userId: user.userId, transactionId, isCancelled })
  })
  implement(api, routes.sendTransactionCode, async ({ user, params, body, ip }) => {
    await requireWithinLimit(context, 'transaction', { ip, userId: user.userId })
    return sendCode(context, gateways, { user, id: params.id, code: body.code })
  })
  implement(api, routes.getTransaction, ({ params }) => getTransaction(context.db, params.id))
}
