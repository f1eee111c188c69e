import * as routes from '@wakestone/contract/money/tax-data-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { changeTaxData, showTaxData } from './service.ts'

export function registerTaxDataRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.getTaxData, async ({ params }) => showTaxData(context.db, params.id))
  implement(api, routes.setTaxData, async ({ params, body }) => changeTaxData(context, params.id, body))
}
