import * as routes from '@wakestone/contract/routes/billings'
import { locate, type Whereabouts } from '#src/features/location/service.ts'
import type { TaxedBuyer } from '#src/features/taxes/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { listProducts, quoteCosts, showProduct } from './service.ts'

export function registerProductRoutes(api: Api): void {
  const { db, settings } = api.context
  const buyerOf = (call: Whereabouts & { user: { userId: string } | undefined }): TaxedBuyer =>
    call.user === undefined ? { countryCode: locate(call, settings).country } : { userId: call.user.userId }

  implement(api, routes.listProducts, async (call) => listProducts(db, buyerOf(call)))
  implement(api, routes.getProduct, async (call) => showProduct(db, call.params.id, buyerOf(call)))
  implement(api, routes.getProductCost, async (call) =>
    quoteCosts(db, {
      productId: call.params.id,
      buyer: buyerOf(call),
      currency: call.query.currency,
      period: call.query.period,
      clusterId: call.query.cluster_id,
    }),
  )
}
