/** Personal API keys: what one may do, and how it is written down. */
import { z } from 'zod'
import { type Capabilities, hasCapability } from '../capabilities.ts'
import type { CapabilityName } from '../capability-names.ts'
import { idSchema, timeSchema } from '../primitives.ts'

/** Capabilities that some route asks a key for, and their parents. A test holds the list against the routes. */
export const apiKeyScopes = [
  'server',
  'server.manage',
  'server.manage.read',
  'server.manage.power',
  'server.manage.console',
  'server.manage.players',
  'server.manage.ports',
  'server.packages',
  'user.read',
  'user.offers',
  'user.payments',
  'marketplace.project-create',
  'marketplace.project-manage.read',
  'marketplace.project-manage.edit',
  'admin',
  'admin.server',
] as const satisfies readonly CapabilityName[]
export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** Scopes that a user may give a key: what is their own, and of administration what they hold. */
export function scopesOpenTo(user: Capabilities): ApiKeyScope[] {
  return apiKeyScopes.filter((scope) => !scope.startsWith('admin') || hasCapability(user, scope))
}

export const apiKeyLimits = { name: 64, ranges: 20, perUser: 20 } as const

const name = z.string().trim().min(1, 'required').max(apiKeyLimits.name)
const scopes = z.array(z.enum(apiKeyScopes)).min(1, 'scopes')
/** One address is a block of its own. */
const addressRange = z
  .string()
  .trim()
  .toLowerCase()
  .transform((text) => (text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`))
  .pipe(z.union([z.cidrv4(), z.cidrv6()], 'address_range'))
const addressRanges = z.array(addressRange).max(apiKeyLimits.ranges)

export const createApiKeyBody = z.object({
  name,
  scopes,
  /** Where it may be used from, IPv4 and IPv6; empty: from everywhere. */
  address_ranges: addressRanges.default([]),
  /** null: never. */
  expires_at: timeSchema.refine((time) => Date.parse(time) > Date.now(), 'past').nullable(),
})
export const changeApiKeyBody = z
  .strictObject({ name, address_ranges: addressRanges })
  .partial()
  .refine((body) => Object.keys(body).length > 0, { message: 'nothing to change' })

export const apiKeySchema = z.object({
  id: idSchema,
  name: z.string(),
  /** Its first characters. */
  hint: z.string(),
  scopes: z.array(z.string()),
  address_ranges: z.array(z.string()),
  created_at: timeSchema,
  expires_at: timeSchema.nullable(),
  /** To the minute. */
  last_used_at: timeSchema.nullable(),
  last_used_ip: z.string().nullable(),
  last_used_country: z.string().length(2).nullable(),
})
export type ApiKey = z.infer<typeof apiKeySchema>
/** The one answer that holds the key itself. */
export const newApiKeySchema = apiKeySchema.extend({ key: z.string() })
export type NewApiKey = z.infer<typeof newApiKeySchema>
