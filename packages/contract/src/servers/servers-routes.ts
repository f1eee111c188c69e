import { z } from 'zod'
import { auditEventListSchema, eventQuery } from '../ground/event.ts'
import { idSchema, timeSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { gameStatuses } from '../states.ts'
import { longestCountdown } from './countdown.ts'
import { commandLineSchema } from './stream.ts'
import { orderVoucherFaults } from '../sales/voucher.ts'
import {
  clusterSchema,
  createServerBody,
  createServerByVoucherBody,
  gamesSchema,
  serverSchema,
  serverStatusSchema,
} from './server.ts'

const params = z.object({ id: idSchema })
const read = { kind: 'server', param: 'id', capability: 'server.manage.read' } as const
const power = { kind: 'server', param: 'id', capability: 'server.manage.power' } as const
const tag = 'Servers'
const timeout = z.coerce.number().int().min(0).max(600).default(120)
/** Players are warned until then. If nobody is playing, or the last player leaves, it happens at once. */
const inSeconds = z.coerce.number().int().min(0).max(longestCountdown).default(0)
/** `90s`, `1m`, `4h`; becomes seconds. */
const wakeDurationSchema = z
  .string()
  .regex(/^\d{1,5}[smh]$/)
  .transform((text) => Number.parseInt(text, 10) * { s: 1, m: 60, h: 3600 }[text.at(-1) as 's' | 'm' | 'h'])
  .refine((seconds) => seconds >= 60 && seconds <= 4 * 3600, '60s to 4h')
const cannotRun = [
  'server_id_not_found',
  'insufficient_capabilities',
  'server_is_expired',
  'server_is_disabled',
  'server_is_preparing',
  'too_many_requests',
  'free_servers_not_available',
  'free_hours_used_up',
] as const
/** The game is in another state than the action is for. */
const otherState = [
  'server_is_not_running',
  'server_is_running',
  'server_is_not_stopped',
  'game_process_already_started',
] as const

export const listGames = defineRoute({
  method: 'GET',
  path: '/servers/games',
  tag,
  summary: 'List the games, engines and versions available for servers',
  access: { kind: 'public' },
  keyScope: 'any',
  responses: { 200: gamesSchema },
  errors: [],
})
export const createServer = defineRoute({
  method: 'POST',
  path: '/servers',
  tag,
  summary: 'Rent a server. Payment, service and server are created in one step.',
  access: { kind: 'user' },
  keyScope: 'user.offers',
  idempotent: true,
  body: createServerBody,
  responses: { 201: serverSchema },
  errors: [
    'wallet_not_found',
    'wallet_has_other_currency',
    'wallet_has_not_funds',
    'user_has_debts',
    'unsupported_payment_method',
    'insufficient_capabilities',
    'affiliate_not_active',
    'affiliate_has_not_funds',
    'pay_later_not_available',
    'product_not_found',
    'product_not_available',
    'no_price_for_parameters',
    'product_has_no_price_for_selected_currency',
    'cluster_not_found',
    'cluster_is_disabled',
    'cluster_does_not_support_module',
    'resource_already_exists',
    'domain_reserved',
    'domain_invalid_subdomain',
    'engine_version_not_found',
    'engine_catalogue_unavailable',
    'user_already_has_free_server',
    'free_servers_not_available',
    'free_hours_used_up',
    'email_not_verified',
    'idempotency_key_reused',
    ...orderVoucherFaults,
  ],
})
export const createServerByVoucher = defineRoute({
  method: 'POST',
  path: '/servers/voucher',
  tag,
  summary: 'Create a server with a voucher. It costs nothing and lasts as long as the voucher says.',
  access: { kind: 'user' },
  keyScope: 'user.offers',
  idempotent: true,
  body: createServerByVoucherBody,
  responses: { 201: serverSchema },
  errors: [
    'wallet_not_found',
    'wallet_has_other_currency',
    'product_not_found',
    'product_not_available',
    'no_price_for_parameters',
    'cluster_not_found',
    'cluster_is_disabled',
    'cluster_does_not_support_module',
    'resource_already_exists',
    'domain_reserved',
    'domain_invalid_subdomain',
    'engine_version_not_found',
    'engine_catalogue_unavailable',
    'free_servers_not_available',
    'free_hours_used_up',
    'email_not_verified',
    'idempotency_key_reused',
    ...orderVoucherFaults,
  ],
})
export const getServer = defineRoute({
  method: 'GET',
  path: '/servers/:id',
  tag,
  summary: 'Get a server',
  access: read,
  keyScope: 'access',
  params,
  responses: { 200: serverSchema },
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
export const getServerStatus = defineRoute({
  method: 'GET',
  path: '/servers/:id/status',
  tag,
  summary: 'Get what a server is doing now',
  access: read,
  keyScope: 'access',
  params,
  responses: { 200: serverStatusSchema },
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
export const startServer = defineRoute({
  method: 'POST',
  path: '/servers/:id/start',
  tag,
  summary: 'Start the game',
  access: power,
  viewAs: true,
  keyScope: 'access',
  params,
  responses: { 200: serverStatusSchema },
  errors: [...cannotRun, ...otherState],
})
export const stopServer = defineRoute({
  method: 'POST',
  path: '/servers/:id/stop',
  tag,
  summary:
    'Stop the game gracefully; it is killed after the timeout. With `in_seconds`, players are warned first, and a later call replaces the countdown.',
  access: power,
  beforeTerms: true,
  viewAs: true,
  keyScope: 'access',
  params,
  query: z.object({ timeout, in_seconds: inSeconds }),
  responses: { 200: serverStatusSchema },
  errors: [
    'server_id_not_found',
    'insufficient_capabilities',
    'server_is_expired',
    'server_is_preparing',
    'too_many_requests',
    ...otherState,
  ],
})
export const restartServer = defineRoute({
  method: 'POST',
  path: '/servers/:id/restart',
  tag,
  summary: 'Stop the game, then start it again. With `in_seconds`, players are warned first.',
  access: power,
  viewAs: true,
  keyScope: 'access',
  params,
  query: z.object({ timeout, in_seconds: inSeconds }),
  responses: { 200: serverStatusSchema },
  errors: [...cannotRun, ...otherState],
})
/** Added. */
export const cancelCountdown = defineRoute({
  method: 'DELETE',
  path: '/servers/:id/countdown',
  tag,
  summary: 'Cancel a stop or restart that players have been warned of',
  access: power,
  beforeTerms: true,
  viewAs: true,
  keyScope: 'access',
  params,
  responses: { 204: null },
  errors: ['server_id_not_found', 'insufficient_capabilities', 'process_not_found'],
})
export const killServer = defineRoute({
  method: 'POST',
  path: '/servers/:id/kill',
  tag,
  summary: 'Kill the game at once, without saving',
  access: power,
  beforeTerms: true,
  viewAs: true,
  keyScope: 'access',
  params,
  responses: { 200: serverStatusSchema },
  errors: ['server_id_not_found', 'insufficient_capabilities', 'too_many_requests', 'server_has_not_pod'],
})
/** Added: what the console's socket takes too. */
export const sendServerCommand = defineRoute({
  method: 'POST',
  path: '/servers/:id/command',
  tag,
  summary: 'Send a command to the console of a running game',
  access: { kind: 'server', param: 'id', capability: 'server.manage.console' },
  keyScope: 'access',
  params,
  body: z.object({ command: commandLineSchema }),
  responses: { 204: null },
  errors: ['server_id_not_found', 'insufficient_capabilities', 'server_is_not_running', 'too_many_requests'],
})
export const pingServer = defineRoute({
  method: 'POST',
  path: '/servers/:id/ping',
  tag,
  summary: 'Wake a sleeping server and keep it awake for the given time (`1m` to `4h`), even with nobody on it',
  access: power,
  viewAs: true,
  keyScope: 'access',
  params,
  query: z.object({ duration: wakeDurationSchema.prefault('1m') }),
  responses: { 200: serverStatusSchema },
  errors: [...cannotRun, 'server_is_not_running'],
})
export const listServerLevels = defineRoute({
  method: 'GET',
  path: '/servers/:id/levels',
  tag,
  summary:
    'List how deeply a server has slept and since when, oldest first: at most the last 30 days, or 1 000 changes',
  access: read,
  keyScope: 'access',
  params,
  query: z.object({ fromDate: timeSchema.optional() }),
  responses: {
    200: z.array(
      z.object({
        level: z.enum(gameStatuses),
        since: timeSchema,
        /** Bytes of memory that a sleep has left to others, as they were measured; null: nobody has measured. */
        freed: z.int().nullable(),
      }),
    ),
  },
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
export const setAutostart = defineRoute({
  method: 'POST',
  path: '/servers/:id/autostart',
  tag,
  summary: 'Set whether the server is kept running (`value=1`) or not (`value=0`). With `stop=1`, it is also stopped.',
  access: power,
  viewAs: true,
  keyScope: 'access',
  params,
  query: z.object({
    value: z.enum(['0', '1']),
    stop: z.enum(['0', '1']).default('0'),
    hardRestart: z.enum(['0', '1']).default('0'),
    timeout: z.coerce.number().int().min(0).max(600).default(60),
  }),
  responses: { 200: serverSchema },
  errors: cannotRun,
})
export const listServerEvents = defineRoute({
  method: 'GET',
  path: '/servers/:id/events',
  tag,
  summary: 'List a server’s audit events, newest first',
  access: read,
  keyScope: 'access',
  params,
  query: z.object(eventQuery.shape),
  responses: { 200: auditEventListSchema },
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
export const listClusters = defineRoute({
  method: 'GET',
  path: '/clusters',
  tag: 'Clusters',
  summary: 'List the clusters where servers can run',
  access: { kind: 'public' },
  keyScope: 'any',
  responses: { 200: z.array(clusterSchema) },
  errors: [],
})
