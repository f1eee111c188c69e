import * as routes from '@wakestone/contract/money/reconciliations-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { exportLines } from './export.ts'
import { getReport, listReports } from './service.ts'

export function registerReconciliationRoutes(api: Api): void {
  const { db } = api.context
  implement(api, routes.listReconciliations, ({ query }) => listReports(db, query))
  implement(api, routes.getReconciliation, ({ params }) => getReport(db, params.id))
  implement(api, routes.exportReconciliation, async ({ params, reply }) => {
    const report = await getReport(db, params.id)
    reply.header('content-disposition', `attachment; filename="reconciliation-${report.gateway}-${report.day}.csv"`)
    return exportLines(report)
  })
}
