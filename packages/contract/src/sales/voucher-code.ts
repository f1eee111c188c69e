/** Codes of vouchers, as people type them and as addresses carry them. */
import { z } from 'zod'

/** Of a code behind its prefix. */
export const voucherCodeLength = 8
/** What people type; spaces and small letters are forgiven. */
export const voucherCodeSchema = z
  .string()
  .max(64)
  .transform((text) => text.replace(/\s/g, '').toUpperCase())
  .pipe(z.string().regex(/^[A-Z0-9-]{1,40}$/, 'voucher_code'))

/** Codes in a query: comma-separated, at most five. */
export const voucherCodesQuery = z
  .string()
  .max(330)
  .transform((list) => list.split(',').filter((code) => code.trim() !== ''))
  .pipe(z.array(voucherCodeSchema).max(5))
export const voucherCodesSchema = z.array(voucherCodeSchema).max(5)
