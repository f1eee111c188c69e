import { z } from 'zod'
import { flagKeys, flagRuleSchema, flags, flagTypes, type FlagValues, mostFlagRules } from './flags.ts'
import { languageSchema, timeSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'

const access = { kind: 'capability', capability: 'admin' } as const
const adminTag = 'Administration'

const valuesSchema = z.object(
  Object.fromEntries(flagKeys.map((key) => [key, flags[key].schema])),
) as unknown as z.ZodType<FlagValues>

export const getFlagValues = defineRoute({
  method: 'GET',
  path: '/flags',
  tag: 'Flags',
  summary: 'Get the feature flags for the caller. May set a cookie that keeps them stable.',
  access: { kind: 'public' },
  query: z.object({ language: languageSchema.default('en') }),
  responses: { 200: valuesSchema },
  errors: [],
})

const flagStateSchema = z.object({
  key: z.enum(flagKeys),
  type: z.enum(flagTypes),
  description: z.string(),
  /** While it is off, everybody has `default`. */
  enabled: z.boolean(),
  /** For whom no rule decides. */
  value: z.json(),
  rules: z.array(flagRuleSchema),
  default: z.json(),
  updated_at: timeSchema.nullable(),
  /** User name of who changed it last; null when nobody did, or the account is gone. */
  updated_by: z.string().nullable(),
})
export type FlagState = z.infer<typeof flagStateSchema>

export const listFlags = defineRoute({
  method: 'GET',
  path: '/admin/flags',
  tag: adminTag,
  summary: 'List all feature flags with their value, their rules, and who changed them last',
  access,
  keyScope: 'access',
  responses: { 200: z.array(flagStateSchema) },
  errors: ['insufficient_capabilities'],
})
export const changeFlag = defineRoute({
  method: 'PATCH',
  path: '/admin/flags/:key',
  tag: adminTag,
  summary: 'Turn a flag on or off, or change its value or rules. Takes effect everywhere at once.',
  access,
  keyScope: 'access',
  params: z.object({ key: z.string().max(64) }),
  body: z
    .strictObject({
      enabled: z.boolean().optional(),
      value: z.json().optional(),
      rules: z.array(flagRuleSchema).max(mostFlagRules).optional(),
    })
    .refine((body) => Object.keys(body).length > 0, { message: 'nothing to change' }),
  responses: { 200: flagStateSchema },
  errors: ['insufficient_capabilities', 'resource_not_found'],
})
