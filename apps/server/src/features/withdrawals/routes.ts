import * as routes from '@wakestone/contract/routes/withdrawals'
import { type Api, implement } from '#src/http/implement.ts'
import { confirmWithdrawal, declareWithdrawal, showWithdrawal } from './service.ts'

export function registerWithdrawalRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.getWithdrawal, ({ params }) => showWithdrawal(context.db, params.id, new Date()))
  implement(api, routes.declareWithdrawal, ({ params, user }) =>
    declareWithdrawal(context, { serviceId: params.id, executorId: user.userId, now: new Date() }),
  )
  implement(api, routes.confirmWithdrawal, ({ params, body, user }) =>
    confirmWithdrawal(context, {
      serviceId: params.id,
      executorId: user.userId,
      declarationId: body.declaration_id,
      now: new Date(),
    }),
  )
}
