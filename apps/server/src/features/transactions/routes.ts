import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/routes/transactions'
import { GatewayUnavailable, type PaymentGateway } from '#src/adapters/payments/gateway.ts'
import { createGateways } from '#src/adapters/payments/registry.ts'
import { requireWithinLimit } from '#src/features/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { createDeposit, listProviders, sendCode } from './deposits.ts'
import { receiveNotification } from './inbox.ts'
import { notificationPath } from './orders.ts'
import { completePaypal } from './paypal-return.ts'
import { getTransaction } from './service.ts'

const notificationLimit = 64 * 1024

export function registerTransactionRoutes(api: Api): void {
  const { context } = api
  const gateways = createGateways(context.settings)
  implement(api, routes.listProviders, async ({ user }) => listProviders(gateways, user))
  implement(api, routes.createTransaction, async ({ user, body, idempotencyKey, ip }) => {
    await requireWithinLimit(context, 'transaction', { ip, userId: user.userId })
    return createDeposit(context, gateways, { user, body, key: idempotencyKey, ip })
  })
  implement(api, routes.completePaypal, ({ user, body }) => {
    const { transaction_id: transactionId, cancelled: isCancelled } = body
    return completePaypal(context, gateways, { userId: user.userId, transactionId, isCancelled })
  })
  implement(api, routes.sendTransactionCode, async ({ user, params, body, ip }) => {
    await requireWithinLimit(context, 'transaction', { ip, userId: user.userId })
    return sendCode(context, gateways, { user, id: params.id, code: body.code })
  })
  implement(api, routes.getTransaction, ({ params }) => getTransaction(context.db, params.id))
  for (const gateway of gateways.all) registerNotifications(api, gateway)
}

/** No route of the contract: its caller is the gateway, its shape the gateway's, and it needs the bytes as signed. */
function registerNotifications({ app, context }: Api, gateway: PaymentGateway): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post(notificationPath(gateway.id), { bodyLimit: notificationLimit }, async (request, reply) => {
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const isTaken = await receiveNotification(context, gateway, { raw, headers: request.headers }).catch((error) => {
        // Stored, but not known to be theirs: they send it again, and we look at it again.
        throw error instanceof GatewayUnavailable ? new DomainError('provider_unavailable') : error
      })
      if (!isTaken) throw new DomainError('access_denied')
      return reply.status(200).send()
    })
  })
}
