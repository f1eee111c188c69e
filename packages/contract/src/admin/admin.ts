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
import { providerIdSchema, transactionSchema } from '../money/transaction.ts'
import { walletSchema } from '../money/wallet.ts'
import { transactionStatuses } from '../states.ts'

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

/** What is out of the ordinary about an account. */
export const userStates = ['suspended', 'unverified', 'leaving', 'deleted'] as const
export const userOrders = ['registered', 'active'] as const

export const listUsersQuery = z.object({
  /** Part of a name or an e-mail address. */
  q: z.string().trim().min(1, 'search').max(100, 'search').optional(),
  state: z.enum(userStates).optional(),
  /** Which come first: those who registered last, or those who were here last. */
  order: z.enum(userOrders).default('registered'),
})
export const listedUserSchema = adminUserSchema.extend({ last_seen_at: timeSchema.nullable() })
export type ListedUser = z.infer<typeof listedUserSchema>

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
  /** Of an add-on: whether the plan that it belongs to does, because they renew together. */
  auto_renew: z.boolean(),
  created_at: timeSchema,
  /** null: never. */
  expires: timeSchema.nullable(),
  ended_at: timeSchema.nullable(),
  /** Its server; of an add-on, that of the plan it belongs to. */
  server: z.object({ id: idSchema, name: z.string() }).nullable(),
  /** The website that it pays for, while there is one. */
  website: z.object({ name: z.string(), address: z.string(), online: z.boolean() }).nullable(),
})
export type AdminService = z.infer<typeof adminServiceSchema>

export const adminTransactionSchema = transactionSchema.extend({
  user_id: idSchema,
  /** Minor units of a payment that went back to its payer, or are on the way. */
  returned: z.int(),
})
export type AdminTransaction = z.infer<typeof adminTransactionSchema>

const daySchema = z.iso.date()
export const listPaymentsQuery = z
  .object({
    provider: providerIdSchema.optional(),
    status: z.enum(transactionStatuses).optional(),
    /** Days in the seller's time zone, both within. */
    from: daySchema.optional(),
    to: daySchema.optional(),
    /** Part of its user's name or e-mail address; or the whole id of a payment, of a server, or of an order. */
    q: z.string().trim().min(1, 'search').max(100, 'search').optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, { path: ['to'], message: 'period' })

/** A payment in the list of all. */
export const listedPaymentSchema = adminTransactionSchema.extend({
  username: z.string(),
  /** What it was for, or whose shop sold it; null: for no server, or one that is gone. */
  server: z.object({ id: idSchema, name: z.string() }).nullable(),
  /** Of what somebody bought in a server's shop, whose owner `username` is then: the order and its buyer. */
  sale: z.object({ order_id: idSchema, item: z.string(), player: z.string(), email: z.string().nullable() }).nullable(),
  /** Why it failed or was given up, in the provider's words or ours. */
  failure: z.string().nullable(),
})
export type ListedPayment = z.infer<typeof listedPaymentSchema>

/** What of a server fits a text; `related`: the id of its service, of an event or of an operation. */
export const serverMatches = ['id', 'related', 'name', 'address', 'port', 'error', 'player', 'cluster'] as const
export type ServerMatch = (typeof serverMatches)[number]

/** At most ten of each, those that fit exactly first. */
export const adminSearchSchema = z.object({
  users: z.array(adminUserSchema),
  servers: z.array(serverSchema.extend({ matches: z.array(z.enum(serverMatches)) })),
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
