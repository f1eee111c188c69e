import { randomUUID } from 'node:crypto'
import * as routes from '@wakestone/contract/money/payment-returns-routes'
import { createGateways } from '#src/adapters/payments/registry.ts'
import { listDebts } from '#src/features/money/debts/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import type { SessionPrincipal } from '#src/http/principal.ts'
import { listReturns } from './listing.ts'
import { enterChargeback, requestRefund, settleByHand, showTransactionReturns } from './requests.ts'

const actorOf = ({ userId, username }: SessionPrincipal) => ({ user_id: userId, username })

export function registerRefundRoutes(api: Api): void {
  const { context } = api
  const gateways = createGateways(context.settings)
  implement(api, routes.listPaymentReturns, ({ query }) => listReturns(context.db, query))
  implement(api, routes.listDebts, ({ query }) => listDebts(context.db, query))
  implement(api, routes.getTransactionReturns, ({ params }) => showTransactionReturns(context.db, gateways, params.id))
  implement(api, routes.refundTransaction, ({ params, body, user, idempotencyKey }) =>
    requestRefund(context, gateways, {
      actor: actorOf(user),
      depositId: params.id,
      body,
      key: idempotencyKey ?? randomUUID(),
      now: new Date(),
    }),
  )
  implement(api, routes.enterChargeback, ({ params, body, user }) =>
    enterChargeback(context, { actor: actorOf(user), depositId: params.id, body, now: new Date() }),
  )
  implement(api, routes.settlePaymentReturn, ({ params, body, user }) =>
    settleByHand(context, { actor: actorOf(user), id: params.id, body, now: new Date() }),
  )
}
