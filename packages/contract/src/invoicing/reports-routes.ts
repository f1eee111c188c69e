import { csvFile, defineRoute } from '../route.ts'
import { reportQuery, revenueReportSchema, taxReportSchema } from './report.ts'

const access = { kind: 'capability', capability: 'admin' } as const
const tag = 'Reports'

export const getRevenueReport = defineRoute({
  method: 'GET',
  path: '/admin/reports/revenue',
  tag,
  summary: 'What was earned in a period, by day or month, by product and by payment gateway',
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
  summary: 'What was sold in a period by country and rate, and the VAT of it',
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
  summary: 'The report of revenue, a line per day or month',
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
  summary: 'The report of tax, a line per country and rate',
  access,
  keyScope: 'access',
  query: reportQuery,
  errors: ['insufficient_capabilities'],
})
