/** What administrators see of users, and of all that they search for. */
import { z } from 'zod'
import {
  billingPeriodSchema,
  capabilityMapSchema,
  idSchema,
  languageSchema,
  moneySchema,
  timeSchema,
} from '../primitives.ts'
import { domainSchema, serverSchema } from '../servers/server.ts'
import { transactionSchema } from '../money/transaction.ts'
import { walletSchema } from '../money/wallet.ts'

/** A user in a list. */
export const adminUserSchema = z.object({
  id: idSchema,
  username: z.string(),
  email: z.string(),
  language: languageSchema,
  country_code: z.string().length(2),
  created_at: timeSchema,
  email_verified: timeSchema.nullable(),
  suspended_at: timeSchema.nullable(),
  /** When the account will be deleted, and when it was. */
  destroy_at: timeSchema.nullable(),
  destroyed_at: timeSchema.nullable(),
})
export type AdminUser = z.infer<typeof adminUserSchema>

/** Nobody signs in to a suspended account, and its servers stand still. */
const suspensionSchema = z.object({
  at: timeSchema,
  by: z.object({ id: idSchema, username: z.string() }).nullable(),
  reason: z.string(),
})

export const adminUserDetailsSchema = adminUserSchema.extend({
  accepted_tos: timeSchema.nullable(),
  newsletter: timeSchema.nullable(),
  has_password: z.boolean(),
  paying_user: z.boolean(),
  last_seen_at: timeSchema.nullable(),
  suspension: suspensionSchema.nullable(),
  user_capabilities: capabilityMapSchema,
  wallets: z.array(walletSchema),
})
export type AdminUserDetails = z.infer<typeof adminUserDetailsSchema>

/** What a user rents, and until when. */
export const adminServiceSchema = z.object({
  id: idSchema,
  product_id: z.string(),
  type: z.string(),
  cluster_id: z.string(),
  wallet_id: idSchema,
  parent_id: idSchema.nullable(),
  billing_period: billingPeriodSchema,
  /** Of one period. */
  cost: moneySchema,
  gross_cost: moneySchema,
  auto_renew: z.boolean(),
  created_at: timeSchema,
  /** null: never. */
  expires: timeSchema.nullable(),
  ended_at: timeSchema.nullable(),
  server: z.object({ id: idSchema, name: z.string() }).nullable(),
})
export type AdminService = z.infer<typeof adminServiceSchema>

export const adminTransactionSchema = transactionSchema.extend({ user_id: idSchema })

/** At most ten of each, those that fit exactly first. */
export const adminSearchSchema = z.object({
  users: z.array(adminUserSchema),
  servers: z.array(serverSchema),
  transactions: z.array(adminTransactionSchema),
  domains: z.array(domainSchema),
  /** Who has the servers, domains and transactions that were found. */
  owners: z.array(z.object({ id: idSchema, username: z.string() })),
})
export type AdminSearch = z.infer<typeof adminSearchSchema>

export const suspendBody = z.object({ reason: z.string().trim().min(3, 'reason').max(500, 'reason') })

export const capabilityNameSchema = z
  .string()
  .max(80, 'capability_name')
  .regex(/^[a-z][a-z0-9-]*(\.[a-z0-9-]+)*$/, 'capability_name')
const capabilityValue = z.union([z.boolean(), z.number(), z.string().max(200)])

/** Names that are neither set nor removed stay as they are. */
export const changeCapabilitiesBody = z.object({
  set: z.record(capabilityNameSchema, capabilityValue).default({}),
  remove: z.array(capabilityNameSchema).max(100).default([]),
})
