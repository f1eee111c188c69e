import { z } from 'zod'
import { countryTaxRateSchema, currencySchema, idSchema, moneySchema, timeSchema } from '../primitives.ts'
import { transactionSchema } from './transaction.ts'

export const walletSchema = z.object({
  id: idSchema,
  currency: currencySchema,
  balance: moneySchema,
  /** Added: how much of the balance is credit that is spent first and never paid out. */
  non_refundable: moneySchema,
  /** Added: money on hold, not part of the balance: recent sales and refunds under way. */
  held: moneySchema,
  /** Added, for a single wallet: how much of `held` comes from shop sales, and what is released next. null: nothing. */
  held_sales: z.object({ amount: moneySchema, next: moneySchema, next_at: timeSchema }).nullable().optional(),
  /** Added: what its owner owes after a payment was taken back; the next payment settles it first. */
  owed: moneySchema,
  details: z.record(z.string(), z.unknown()),
  created_at: timeSchema,
  country_tax_rate: countryTaxRateSchema,
})
export type Wallet = z.infer<typeof walletSchema>

/** What an administrator puts into a wallet, and why; its owner reads the reason. */
export const topUpWalletBody = z.object({
  /** Minor units. */
  amount: z.int().positive('amount').max(1_000_000, 'amount'),
  reason: z.string().trim().min(3, 'reason').max(500, 'reason'),
  /** Whether it may be paid out; a gift may not. */
  refundable: z.boolean().default(false),
})

export const walletLogCauses = [
  'DEPOSIT',
  'PAYMENT',
  'ITEMSHOP_SELL',
  'RENEW_SERVICE',
  'VOUCHER_USE',
  // Added: a purchase or top-up given back, a partner's earnings, an administrator's correction.
  'REFUND',
  'COMMISSION',
  'ADJUSTMENT',
  'PAY_LATER', // lent for a purchase, until its bill is paid
  'CHARGEBACK', // a payment that the payer's bank took back, or gave again
  'DEBT', // what the wallet lacked for that
] as const
/** One movement on a wallet. `amount` is negative when money left it. */
export const walletLogSchema = z.object({
  id: idSchema,
  wallet_id: idSchema,
  /** The ledger transaction whose other side this movement has. */
  pair_id: idSchema,
  ts: timeSchema,
  amount: moneySchema,
  balance_after: moneySchema,
  currency: currencySchema,
  cause: z.enum(walletLogCauses),
  details: z.record(z.string(), z.unknown()),
  completed: timeSchema.nullable(),
  /** Added: the payment that this movement belongs to, with what was bought; null: none. */
  transaction: transactionSchema
    .pick({ id: true, action: true, positions: true, invoiceid: true, return_kind: true, return_of: true })
    .nullable(),
  /** Added: shop and item of a sale, and until when its money is held; null: none. */
  sale: z.object({ description: z.string(), held_until: timeSchema.nullable() }).nullable(),
})
export type WalletLog = z.infer<typeof walletLogSchema>
