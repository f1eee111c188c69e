import type { ReportQuery } from '@wakestone/contract/invoicing/report'
import * as routes from '@wakestone/contract/invoicing/reports-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { exportRevenue, exportTax } from './export.ts'
import { reportRevenue, reportTax } from './service.ts'

export function registerReportRoutes(api: Api): void {
  const { context } = api
  implement(api, routes.getRevenueReport, ({ query }) => reportRevenue(context, query))
  implement(api, routes.getTaxReport, ({ query }) => reportTax(context, query))
  implement(api, routes.exportRevenueReport, async ({ query, reply }) => {
    reply.header('content-disposition', `attachment; filename="revenue-${nameOf(query)}.csv"`)
    return exportRevenue(await reportRevenue(context, query))
  })
  implement(api, routes.exportTaxReport, async ({ query, reply }) => {
    reply.header('content-disposition', `attachment; filename="tax-${nameOf(query)}.csv"`)
    return exportTax(await reportTax(context, query))
  })
}

const nameOf = ({ currency, from, to }: ReportQuery) => `${currency}-${from}-${to}`
