/** What the business earned and owes, for administrators. */
import { z } from 'zod'
import { currencySchema } from '../primitives.ts'

const daySchema = z.iso.date()
const amount = z.int()

/** From and to are days in the seller's time zone, as those of documents of sale, both within. */
export const reportQuery = z
  .object({ from: daySchema, to: daySchema, currency: currencySchema })
  .refine(({ from, to }) => from <= to, { path: ['to'], message: 'period' })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < 1100 * 86_400_000, { path: ['to'], message: 'period' })
export type ReportQuery = z.output<typeof reportQuery>

/** Amounts in minor units. What was given back is already taken off. */
const earned = { net: amount, vat: amount, gross: amount }

/** shop_sale: what players paid in the shops of servers. */
const gatewayParts = ['top_up', 'shop_sale', 'return'] as const

export const revenueReportSchema = z.object({
  currency: currencySchema,
  from: daySchema,
  to: daySchema,
  /** `given_away`: by vouchers and the like; `credited`: put into wallets by administrators. */
  total: z.object({ ...earned, topped_up: amount, given_away: amount, credited: amount }),
  /** Days, or months where the period is longer than a quarter; none is left out. */
  step: z.enum(['day', 'month']),
  steps: z.array(z.object({ start: daySchema, ...earned, topped_up: amount })),
  /** What was bought, dearest first; `count` is how often, `gross` what of it was not given back. */
  products: z.array(z.object({ name: z.string(), count: z.int(), gross: amount })),
  /** What came in from each payment gateway, less what went back; `parts` says what it is made of. */
  gateways: z.array(
    z.object({
      gateway: z.string(),
      amount,
      count: z.int(),
      parts: z.array(z.object({ kind: z.enum(gatewayParts), amount, count: z.int() })),
    }),
  ),
})
export type RevenueReport = z.infer<typeof revenueReportSchema>

export const taxReportSchema = z.object({
  currency: currencySchema,
  from: daySchema,
  to: daySchema,
  /** By country and rate. */
  rows: z.array(z.object({ country_code: z.string().length(2), vat_rate: z.number(), ...earned, count: z.int() })),
})
export type TaxReport = z.infer<typeof taxReportSchema>
