import type { ReportQuery } from '@wakestone/contract/invoicing/report'
import * as routes from '@wakestone/contract/invoicing/reports-routes'
import { type Api, implement } from '#src/http/implement.ts'
import { exportRevenue, exportTax } from './export.ts'
import { reportRevenue, reportTax } from './service.ts'

export function registerReportRoutes(api: Api): void {
  const { replica, settings } = api.context
  const revenue = (query: ReportQuery) => replica.read((db) => reportRevenue({ db, settings }, query))
  const tax = (query: ReportQuery) => replica.read((db) => reportTax({ db, settings }, query))
  implement(api, routes.getRevenueReport, ({ query }) => revenue(query))
  implement(api, routes.getTaxReport, ({ query }) => tax(query))
  implement(api, routes.exportRevenueReport, async ({ query, reply }) => {
    reply.header('content-disposition', `attachment; filename="revenue-${nameOf(query)}.csv"`)
    return exportRevenue(await revenue(query))
  })
  implement(api, routes.exportTaxReport, async ({ query, reply }) => {
    reply.header('content-disposition', `attachment; filename="tax-${nameOf(query)}.csv"`)
    return exportTax(await tax(query))
  })
}

const nameOf = ({ currency, from, to }: ReportQuery) => `${currency}-${from}-${to}`
