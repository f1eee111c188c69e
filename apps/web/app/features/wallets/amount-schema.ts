import { z } from 'zod'
import { currencyDigits } from '#app/i18n/format.ts'
import { parseAmount } from './parse-amount.ts'

/** What is typed as an amount of this currency, checked as the contract wants it: `amount` is its schema of minor units. */
export const amountSchema = <Amount extends z.ZodType<number, number>>(currency: string, amount: Amount) =>
  z
    .string()
    .transform((typed) => parseAmount(typed, currencyDigits(currency)) ?? 0)
    .pipe(amount)
