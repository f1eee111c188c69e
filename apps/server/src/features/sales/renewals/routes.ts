import { randomUUID } from 'node:crypto'
import * as routes from '@wakestone/contract/sales/billings-routes'
import { countGuesses } from '#src/features/sales/vouchers/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { useReferralHours } from '@wakestone/contract/sales/referrals-routes'
import { requireMethod } from '#src/http/payment-method.ts'
import { deleteFreeServer } from './delete-free.ts'
import { quoteRenewal } from './quote.ts'
import { putReferralHours } from './referral-hours.ts'
import { changeRenewal, renewFreeService, renewService, showService } from './service.ts'

export function registerRenewalRoutes(api: Api): void {
  const { context } = api
  const countVouchers = <Result>(codes: string[], who: { ip: string; userId: string }, work: () => Promise<Result>) =>
    codes.length === 0 ? work() : countGuesses(context, who, work)
  implement(api, routes.getService, ({ params }) => showService(context, params.id))
  implement(api, routes.getServiceCost, ({ params, query, user, ip }) => {
    const codes = query.vouchers ?? []
    return countVouchers(codes, { ip, userId: user.userId }, () =>
      quoteRenewal(context, { serviceId: params.id, currency: query.currency, codes, now: new Date() }),
    )
  })
  implement(api, routes.renewService, async (call) => {
    const { params, body, user, idempotencyKey, ip } = call
    await requireMethod(api, call, body.payment_method ?? 'wallet')
    const key = idempotencyKey === undefined ? randomUUID() : `key:${idempotencyKey}`
    await countVouchers(body.vouchers ?? [], { ip, userId: user.userId }, () =>
      renewService(context, { serviceId: params.id, executorId: user.userId, body, key, now: new Date() }),
    )
    return showService(context, params.id)
  })
  implement(api, routes.renewFreeService, async ({ params, user }) => {
    await renewFreeService(context, { serviceId: params.id, executorId: user.userId, now: new Date() })
    return showService(context, params.id)
  })
  implement(api, routes.deleteFreeServer, ({ params, user }) =>
    deleteFreeServer(context, { serviceId: params.id, executorId: user.userId, now: new Date() }),
  )
  implement(api, routes.changeService, async ({ params, body, user }) => {
    await changeRenewal(context, { serviceId: params.id, executorId: user.userId, body, now: new Date() })
    return showService(context, params.id)
  })
  implement(api, useReferralHours, async ({ params, body, user, idempotencyKey }) => {
    await putReferralHours(context, {
      serviceId: params.serviceId,
      executorId: user.userId,
      code: body.referral_code,
      hours: body.hours,
      key: idempotencyKey ?? randomUUID(),
      now: new Date(),
    })
  })
}
