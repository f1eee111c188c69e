import * as routes from '@wakestone/contract/admin/admin-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { registerAccountAdminRoutes } from './account-routes.ts'
import { listUsers } from './accounts.ts'
import { listPayments, listPaymentsOfUser } from './payments.ts'
import { searchAll } from './search.ts'
import { listServicesOf } from './service.ts'

export function registerAdminRoutes(api: Api): void {
  const { context } = api
  registerAccountAdminRoutes(api)
  implement(api, routes.adminSearch, ({ query }) => searchAll(context, query.q))
  implement(api, routes.listUsers, async ({ query }) => {
    await api.principals.writeActivity() // whoever reads it is here
    return listUsers(context, query)
  })
  implement(api, routes.listPayments, ({ query }) => listPayments(context, query))
  implement(api, routes.listAdminServices, ({ params, query }) => listServicesOf(context, params.id, query))
  implement(api, routes.listAdminTransactions, ({ params, query }) => listPaymentsOfUser(context.db, params.id, query))
}
