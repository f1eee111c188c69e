import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/routes/transactions'
import { createPayu, type Payu } from '#src/adapters/payu/client.ts'
import { requireWithinLimit } from '#src/features/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { createDeposit, listProviders } from './deposits.ts'
import { receiveNotification } from './inbox.ts'
import { notificationPath } from './orders.ts'
import { getTransaction } from './service.ts'

const notificationLimit = 64 * 1024

export function registerTransactionRoutes(api: Api): void {
  const { context } = api
  const payu = createPayu(context.settings)
  implement(api, routes.listProviders, async ({ user }) => listProviders(payu, user))
  implement(api, routes.createTransaction, async ({ user, body, idempotencyKey, ip }) => {
    await requireWithinLimit(context, 'transaction', { ip, userId: user.userId })
    return createDeposit(context, payu, { user, body, key: idempotencyKey, ip })
  })
  implement(api, routes.getTransaction, ({ params }) => getTransaction(context.db, params.id))
  if (payu !== undefined) registerNotifications(api, payu)
}

/** No route of the contract: its caller is PayU, its shape is PayU's, and it needs the bytes as they were signed. */
function registerNotifications({ app, context }: Api, payu: Payu): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post(notificationPath, { bodyLimit: notificationLimit }, async (request, reply) => {
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const isTaken = await receiveNotification(context, payu, { raw, headers: request.headers })
      if (!isTaken) throw new DomainError('access_denied')
      return reply.status(200).send()
    })
  })
}
