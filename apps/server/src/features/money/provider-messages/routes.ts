import { DomainError } from '@wakestone/contract/errors'
import { GatewayUnavailable, type PaymentGateway } from '#src/adapters/payments/gateway.ts'
import { createGateways } from '#src/adapters/payments/registry.ts'
import { count, requireRoom } from '#src/features/ground/limits/service.ts'
import { notificationPath } from '#src/features/money/payments/service.ts'
import type { Api } from '#src/http/implement.ts'
import { receiveNotification } from './inbox.ts'

const notificationLimit = 64 * 1024

export function registerGatewayRoutes(api: Api): void {
  for (const gateway of createGateways(api.context.settings).all) registerNotifications(api, gateway)
}

/** No route of the contract: its caller is the gateway, its shape the gateway's, and it needs the bytes as signed. */
function registerNotifications({ app, context }: Api, gateway: PaymentGateway): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.post(notificationPath(gateway.id), { bodyLimit: notificationLimit }, async (request, reply) => {
      const { ip } = request
      await requireRoom(context, 'forgery', { ip })
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const isTaken = await receiveNotification(context, gateway, { raw, headers: request.headers }).catch((error) => {
        // Stored, but not known to be theirs: they send it again, and we look at it again.
        throw error instanceof GatewayUnavailable ? new DomainError('provider_unavailable') : error
      })
      if (!isTaken) {
        if (!(await count(context, 'forgery', { ip })))
          context.logger.warn(
            { ip, gateway: gateway.id },
            'so many forged notifications from one address: no more for now',
          )
        throw new DomainError('access_denied')
      }
      return reply.status(200).send()
    })
  })
}
