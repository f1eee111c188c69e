import { getProductCost } from '@wakestone/contract/sales/billings-routes'
import * as routes from '@wakestone/contract/sales/vouchers-routes'
import { locate } from '#src/features/ground/location/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { listCoupons, showServiceCoupon } from './coupons.ts'
import { generateVouchers, revokeVouchers } from './generate.ts'
import { countGuesses, giveTrial, quoteWithVouchers } from './service.ts'
import { listGroups, listUses, listVouchersOfGroup } from './show.ts'
import { showCode } from './use.ts'

export function registerVoucherRoutes(api: Api): void {
  const { context } = api
  const { db, settings } = context

  implement(api, routes.generateVouchers, async ({ user, body }) => ({
    vouchers: await generateVouchers(context, { userId: user.userId, body, now: new Date() }),
  }))
  implement(api, routes.listVoucherGroups, ({ query }) => listGroups(db, query))
  implement(api, routes.listVouchersOfGroup, async ({ params }) => ({
    vouchers: await listVouchersOfGroup(db, params.id),
  }))
  implement(api, routes.revokeVouchers, async ({ user, params, body }) => ({
    vouchers: await revokeVouchers(context, {
      userId: user.userId,
      batchId: params.id,
      ids: body.voucher_ids,
      now: new Date(),
    }),
  }))
  implement(api, routes.listAdminVoucherUses, ({ params, query }) => listUses(db, params.id, query))
  implement(api, routes.getVoucher, ({ params, user: { userId }, ip }) =>
    countGuesses(context, { ip, userId }, () => showCode(db, params.code, { userId, settings, now: new Date() })),
  )
  implement(api, getProductCost, (call) => {
    const { query, params, user, ip } = call
    const codes = query.vouchers ?? []
    const userId = user?.userId
    const quote = () =>
      quoteWithVouchers(context, {
        productId: params.id,
        buyer: user === undefined ? { countryCode: locate(call, settings).country } : { userId: user.userId },
        currency: query.currency,
        period: query.period,
        clusterId: query.cluster_id,
        codes,
        userId,
        now: new Date(),
      })
    return codes.length === 0 ? quote() : countGuesses(context, { ip, userId }, quote)
  })
  implement(api, routes.listServiceCoupons, ({ params }) => listCoupons(db, params.id, new Date()))
  implement(api, routes.getServiceCoupon, ({ params }) =>
    showServiceCoupon(db, { serviceId: params.id, couponId: params.couponId, now: new Date() }),
  )
  implement(api, routes.startTrial, ({ params, user }) =>
    giveTrial(context, { userId: user.userId, productId: params.id, now: new Date() }),
  )
}
