import * as routes from '@wakestone/contract/sales/billings-routes'
import { locate, type Whereabouts } from '#src/features/ground/location/service.ts'
import { taxOf } from '#src/features/money/taxes/service.ts'
import { type Api, implement, Kept } from '#src/http/implement.ts'
import { listProducts, showProduct } from './service.ts'

export function registerProductRoutes(api: Api): void {
  const { db, settings } = api.context
  /** A visitor's depends on their country alone; a customer's, on all that is known of them. */
  const rateOf = async (call: Whereabouts & { user: { userId: string } | undefined }): Promise<number> => {
    if (call.user !== undefined) return (await taxOf(db, { userId: call.user.userId })).vat_rate
    const { country } = locate(call, settings)
    const find = async () => (await taxOf(db, { countryCode: country })).vat_rate
    return (await api.catalogue.rates.find(country, find)) ?? find()
  }

  implement(api, routes.listProducts, async (call) => {
    const vatRate = await rateOf(call)
    return new Kept(`${vatRate}`, () => listProducts(db, { vatRate }))
  })
  implement(api, routes.getProduct, async (call) => {
    const vatRate = await rateOf(call)
    return new Kept(`${vatRate} ${call.params.id}`, () => showProduct(db, call.params.id, { vatRate }))
  })
}
