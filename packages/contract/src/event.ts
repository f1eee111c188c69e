import { z } from 'zod'
import { idSchema, pagingQuery, timeSchema } from './primitives.ts'

export const eventLevels = { DEBUG: 10, INFO: 20, WARN: 30, ERROR: 40, CRITICAL: 50 } as const

/** Audit actions recorded so far; names are those of the specification. */
export const auditActions = [
  'USER_LOGIN',
  'USER_REGISTER_EMAIL',
  'USER_CONFIRM_EMAIL',
  'USER_RESEND_EMAIL',
  'USER_LOGIN_EMAIL',
  'USER_LOGIN_DISCORD',
  'USER_REGISTER_DISCORD',
  'USER_SOCIAL_CONNECT',
  'USER_SOCIAL_DISCONNECT',
  'USER_SET_REFERRER',
  'USER_CHANGE_PASSWORD',
  'USER_CHANGE_EMAIL',
  'USER_CHANGE_USERNAME',
  'USER_END_SESSION',
  'USER_SCHEDULE_DELETION',
  'USER_CANCEL_DELETION',
  'USER_CHANGE_TAX_DATA',
  'USER_ADD_TOTP',
  'USER_REMOVE_TOTP',
  'USER_ADD_PASSKEY',
  'USER_RENAME_PASSKEY',
  'USER_REMOVE_PASSKEY',
  'USER_RENEW_RECOVERY_CODES',
  'USER_CHANGE_FLAG', // of the administrator who changed it
  'USER_SUSPEND',
  'USER_UNSUSPEND',
  'USER_CHANGE_CAPABILITIES',
  'USER_VIEW_AS_BEGIN',
  'USER_VIEW_AS_END',
  'SERVER_PREPARE',
  'SERVER_POD_CREATED',
  'SERVER_POD_CRASHED',
  'SERVER_PVC_CREATED',
  'SERVER_INSTALL_PACKAGE',
  'SERVER_GAME_START',
  'SERVER_GAME_STOP',
  'SERVER_CONSOLE_COMMAND', // of an administrator who views the panel as its user
  'GAME_STARTED',
  'GAME_STOPPED',
  'GAME_CRASHED',
  'GAME_CRASHED_TOO_MANY_TIMES',
] as const
export type AuditAction = (typeof auditActions)[number]

export const auditEventSchema = z.object({
  id: idSchema,
  level: z.int(),
  resource_id: idSchema,
  resource_type: z.enum(['user', 'server']),
  created_at: timeSchema,
  action: z.enum(auditActions),
  success: z.boolean(),
  data: z.record(z.string(), z.unknown()),
  error: z.object({ code: z.string(), fields: z.record(z.string(), z.unknown()).optional() }).nullable(),
})
export type AuditEvent = z.infer<typeof auditEventSchema>
export const auditEventListSchema = z.object({ data: z.array(auditEventSchema), count: z.int() })

export const eventQuery = z.object({
  ...pagingQuery,
  action: z.enum(auditActions).optional(),
  fromDate: timeSchema.optional(),
  toDate: timeSchema.optional(),
  minLevel: z.coerce.number().int().optional(),
})
