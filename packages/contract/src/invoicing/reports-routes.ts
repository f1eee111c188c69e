import { csvFile, defineRoute } from '../route.ts'
import { reportQuery, revenueReportSchema, taxReportSchema } from './report.ts'

const access = { kind: 'capability', capability: 'admin' } as const
const tag = 'Reports'

export const getRevenueReport = defineRoute({
  method: 'GET',
  path: '/admin/reports/revenue',
  tag,
  summary: 'Get the revenue of a period by day or month, by product and by payment provider',
  access,
  keyScope: 'access',
  query: reportQuery,
  responses: { 200: revenueReportSchema },
  errors: ['insufficient_capabilities'],
})
export const getTaxReport = defineRoute({
  method: 'GET',
  path: '/admin/reports/tax',
  tag,
  summary: 'Get the sales of a period and their VAT, by country and rate',
  access,
  keyScope: 'access',
  query: reportQuery,
  responses: { 200: taxReportSchema },
  errors: ['insufficient_capabilities'],
})
export const exportRevenueReport = defineRoute({
  ...csvFile,
  method: 'GET',
  path: '/admin/reports/revenue.csv',
  tag,
  summary: 'Export the revenue report as CSV, one line per day or month',
  access,
  keyScope: 'access',
  query: reportQuery,
  errors: ['insufficient_capabilities'],
})
export const exportTaxReport = defineRoute({
  ...csvFile,
  method: 'GET',
  path: '/admin/reports/tax.csv',
  tag,
  summary: 'Export the tax report as CSV, one line per country and rate',
  access,
  keyScope: 'access',
  query: reportQuery,
  errors: ['insufficient_capabilities'],
})
