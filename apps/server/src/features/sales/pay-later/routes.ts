import { canPayLater } from '@wakestone/contract/capabilities'
import { DomainError } from '@wakestone/contract/errors'
import * as routes from '@wakestone/contract/sales/pay-later-routes'
import { showPayLater } from '#src/features/sales/bills/service.ts'
import { requireWithinLimit } from '#src/features/ground/limits/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { isPayLaterOn } from '#src/http/payment-method.ts'
import { exportBills, listBills, payBill } from './service.ts'

export function registerPayLaterRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.getPayLater, async (call) =>
    showPayLater(context.db, context.settings, {
      userId: call.params.id,
      isOn: canPayLater(call.user.capabilities) && (await isPayLaterOn(api, call)),
      now: new Date(),
    }),
  )
  implement(api, routes.payBill, async ({ params, body, user }) => {
    if (params.id !== user.userId) throw new DomainError('access_denied')
    return payBill(context, { userId: user.userId, billId: params.billId, walletId: body.wallet_id, now: new Date() })
  })
  implement(api, routes.listBills, ({ query }) => listBills(context.db, query))
  implement(api, routes.exportBills, async ({ user, ip, reply }) => {
    await requireWithinLimit(context, 'export', { ip, userId: user.userId })
    reply.header('content-disposition', 'attachment; filename="bills.csv"')
    return exportBills(context.db)
  })
}
