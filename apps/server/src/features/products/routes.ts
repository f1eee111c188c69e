import * as routes from '@wakestone/contract/routes/billings'
import { locate, type Whereabouts } from '#src/features/location/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { listProducts, quoteCosts, showProduct } from './service.ts'

export function registerProductRoutes(api: Api): void {
  const { db, settings } = api.context
  const buyerCountry = (call: Whereabouts) => locate(call, settings).country

  implement(api, routes.listProducts, async (call) => listProducts(db, buyerCountry(call)))
  implement(api, routes.getProduct, async (call) => showProduct(db, call.params.id, buyerCountry(call)))
  implement(api, routes.getProductCost, async (call) =>
    quoteCosts(db, {
      productId: call.params.id,
      countryCode: buyerCountry(call),
      currency: call.query.currency,
      period: call.query.period,
      clusterId: call.query.cluster_id,
    }),
  )
}
