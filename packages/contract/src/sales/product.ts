import { z } from 'zod'
import { billingPeriodSchema, countryTaxRateSchema, currencySchema, moneySchema } from '../primitives.ts'
import { backupRuleSchema } from '../servers/backups.ts'

export const serviceTypes = [
  'GAME_SERVER',
  'EXTRA_STORAGE',
  'EXTRA_MEMORY',
  'EXTRA_PORTS',
  'MAPVIEW',
  'BACKUP',
  'CRAFTUM',
] as const
export const productIds = [
  'FREE',
  'GRASS',
  'AMETHYST',
  'BASIC_CRAFTUM',
  'EXTRA_STORAGE_10G',
  'EXTRA_STORAGE_30G',
  'EXTRA_PORTS_3',
  'BASIC_MAPVIEW',
  'EXTRA_MEMORY_2G',
  'EXTRA_MEMORY_4G',
  'EXTRA_MEMORY_8G',
  'EXTRA_MEMORY_16G',
  'BACKUP_PLUS',
  'BACKUP_PRO',
  'SPEEDRUN_PROMO_EXTRA_MEMORY_4G',
] as const

/** Sizes in bytes; `players` null = as many as fit. `sleep`: minutes without players before each level, null = never. */
export const productParametersSchema = z.object({
  memory: z.int(),
  cpu: z.number(),
  storage: z.int(),
  players: z.int().nullable(),
  sleep: z.object({ light: z.number().nullable(), deep: z.number().nullable(), hibernate: z.number().nullable() }),
  /** How its servers are backed up; missing: not at all. */
  backups: backupRuleSchema.optional(),
  /** Names of its owner's choice, and ports beside the game's own; missing: none. */
  names: z.int().min(0).optional(),
  ports: z.int().min(0).optional(),
  /** Bytes that MySQL may take of the storage; missing or 0: there is none. */
  mysql: z.int().min(0).optional(),
})

export const priceSchema = z.object({
  cluster_id: z.string(),
  period: billingPeriodSchema,
  price: moneySchema,
  gross_price: moneySchema,
  /** Lowest net price of the 30 days before a reduction, when this price is a reduced one. */
  lowest_price_30d: moneySchema.nullable(),
  /** The same with the VAT of the caller’s country: what stands beside a reduced price. */
  lowest_gross_price_30d: moneySchema.nullable(),
})

export const productSchema = z.object({
  id: z.string(),
  type: z.enum(serviceTypes),
  parameters: productParametersSchema,
  depends_on_products: z.array(z.string()),
  visible: z.boolean(),
  available: z.boolean(),
  availability: z.int().nullable(),
  prices: z.array(priceSchema),
  /** Gross price of the shortest period divided by its hours, in minor units, by currency; not rounded. */
  pricePerHour: z.record(z.string(), z.number()),
  upgrade_targets: z.array(z.string()),
  /** How long it can be tried for nothing; null: not at all. */
  trial_hours: z.int().nullable(),
})
export type Product = z.infer<typeof productSchema>

/** What a purchase would cost this buyer; computed by the server and by nobody else. */
export const costSchema = z.object({
  product: z.string(),
  cluster_id: z.string(),
  period: billingPeriodSchema,
  currency: currencySchema,
  product_price: moneySchema, // net
  tax: moneySchema,
  gross_price: moneySchema,
  country_tax_rate: countryTaxRateSchema,
  /** What it would cost without the vouchers and the coupon that make it cheaper; null where none does. */
  full_gross_price: moneySchema.nullable(),
  /** Hours that vouchers and the coupon add to the period. */
  add_hours: z.int(),
  /** Of a renewal: what it is made of, the plan first and then its add-ons; gross prices, which sum up to the whole. */
  positions: z
    .array(z.object({ product: z.string(), gross_price: moneySchema, full_gross_price: moneySchema, tax: moneySchema }))
    .optional(),
})
export type Cost = z.infer<typeof costSchema>
