/** What a setting says of itself, and the checks that several of them share. */
import { z } from 'zod'

export const port = z.coerce.number().int().min(0).max(65535)
export const url = z.url({ protocol: /^https?$/ })
export const flag = z.enum(['0', '1']).transform((value) => value === '1')
export const text = z.string()
export const count = z.coerce.number().int().min(0).max(100_000)
export const currencies = z
  .string()
  .regex(/^[A-Z]{3}(,[A-Z]{3})*$/)
  .transform((list) => list.split(','))
/** Addresses, comma-separated. */
export const urls = z
  .string()
  .transform((list) => list.split(',').map((part) => part.trim()))
  .pipe(z.array(z.url({ protocol: /^https$/ })))

/** Any number of these, comma-separated. */
export const listOf = <Schema extends z.ZodType<unknown, string>>(schema: Schema) =>
  z
    .string()
    .transform((list) =>
      list
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .pipe(z.array(schema))

export type Setting = {
  group:
    | 'Basics'
    | 'Site'
    | 'Operator'
    | 'Packages'
    | 'Support'
    | 'Accounts'
    | 'Mail'
    | 'Notifications'
    | 'Limits'
    | 'Vouchers'
    | 'Gateway'
    | 'TLS'
    | 'Traces'
    | 'DNS'
    | 'Servers'
    | 'Agents'
    | 'Backups'
    | 'Websites'
    | 'Tax and invoices'
    | 'PayU'
    | 'PayPal'
    | 'PayNow'
    | 'Discord'
  about: string
  takes: string
  schema: z.ZodType
  /** Shown in the documentation; what applies when the variable is unset. */
  fallback?: string
  /** Never shown, not even when it is wrong. */
  secret?: true
}
