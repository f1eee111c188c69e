import * as routes from '@wakestone/contract/sales/billings-routes'
import { locate, type Whereabouts } from '#src/features/ground/location/service.ts'
import type { TaxedBuyer } from '#src/features/money/taxes/service.ts'
import { type Api, implement } from '#src/http/implement.ts'
import { listProducts, showProduct } from './service.ts'

export function registerProductRoutes(api: Api): void {
  const { db, settings } = api.context
  const buyerOf = (call: Whereabouts & { user: { userId: string } | undefined }): TaxedBuyer =>
    call.user === undefined ? { countryCode: locate(call, settings).country } : { userId: call.user.userId }

  implement(api, routes.listProducts, async (call) => listProducts(db, buyerOf(call)))
  implement(api, routes.getProduct, async (call) => showProduct(db, call.params.id, buyerOf(call)))
}
