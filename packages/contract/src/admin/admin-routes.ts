/** Users as administrators see them: found, looked at, suspended, viewed as, given capabilities. */
import { z } from 'zod'
import {
  adminSearchSchema,
  adminServiceSchema,
  adminTransactionSchema,
  adminUserDetailsSchema,
  changeCapabilitiesBody,
  listedPaymentSchema,
  listedUserSchema,
  listPaymentsQuery,
  listUsersQuery,
  suspendBody,
} from './admin.ts'
import { capabilityMapSchema, idSchema, pagingQuery } from '../primitives.ts'
import { defineRoute } from '../route.ts'

const access = { kind: 'capability', capability: 'admin' } as const
const tag = 'Administration'
const params = z.object({ id: idSchema })
const query = z.object(pagingQuery)

export const adminSearch = defineRoute({
  method: 'GET',
  path: '/admin/search',
  tag,
  summary:
    'Search users, servers, transactions and domains by id, or by a name, e-mail or server address, port, order, player, node or error. At most 10 of each.',
  access,
  keyScope: 'access',
  query: z.object({ q: z.string().trim().min(3, 'search').max(100, 'search') }),
  responses: { 200: adminSearchSchema },
  errors: ['insufficient_capabilities'],
})
export const listUsers = defineRoute({
  method: 'GET',
  path: '/admin/users',
  tag,
  summary: 'List all users, by registration or by last activity. Can be limited by name or e-mail, and by state.',
  access,
  keyScope: 'access',
  query: query.extend(listUsersQuery.shape),
  responses: { 200: z.object({ data: z.array(listedUserSchema), count: z.int() }) },
  errors: ['insufficient_capabilities'],
})
export const listPayments = defineRoute({
  method: 'GET',
  path: '/admin/payments',
  tag,
  summary: 'List all payments, newest first. Can be limited by provider, status, days, and by user, server or order.',
  access,
  keyScope: 'access',
  query: listPaymentsQuery.safeExtend(pagingQuery),
  responses: { 200: z.object({ data: z.array(listedPaymentSchema), count: z.int() }) },
  errors: ['insufficient_capabilities'],
})
export const getAdminUser = defineRoute({
  method: 'GET',
  path: '/admin/users/:id',
  tag,
  summary: 'Get a user, including a deleted one',
  access,
  keyScope: 'access',
  params,
  responses: { 200: adminUserDetailsSchema },
  errors: ['insufficient_capabilities', 'user_not_found'],
})
export const listAdminServices = defineRoute({
  method: 'GET',
  path: '/admin/users/:id/services',
  tag,
  summary: 'List a user’s current and past services, newest first',
  access,
  keyScope: 'access',
  params,
  query,
  responses: { 200: z.object({ data: z.array(adminServiceSchema), count: z.int() }) },
  errors: ['insufficient_capabilities'],
})
export const listAdminTransactions = defineRoute({
  method: 'GET',
  path: '/admin/users/:id/transactions',
  tag,
  summary: 'List a user’s transactions in all wallets, newest first',
  access,
  keyScope: 'access',
  params,
  query,
  responses: { 200: z.object({ data: z.array(adminTransactionSchema), count: z.int() }) },
  errors: ['insufficient_capabilities'],
})
export const suspendUser = defineRoute({
  method: 'POST',
  path: '/admin/users/:id/suspend',
  tag,
  summary: 'Suspend an account. Its sessions end, its servers stop, and its owner is told the reason.',
  access,
  stepUp: true,
  params,
  body: suspendBody,
  responses: { 200: adminUserDetailsSchema },
  errors: ['insufficient_capabilities', 'user_not_found', 'own_account_protected', 'last_administrator'],
})
export const unsuspendUser = defineRoute({
  method: 'POST',
  path: '/admin/users/:id/unsuspend',
  tag,
  summary: 'Lift a suspension. Servers that should be running start again.',
  access,
  params,
  responses: { 200: adminUserDetailsSchema },
  errors: ['insufficient_capabilities', 'user_not_found'],
})
export const changeUserCapabilities = defineRoute({
  method: 'PATCH',
  path: '/admin/users/:id/capabilities',
  tag,
  summary:
    'Change a user’s capabilities, with immediate effect. Administrators cannot grant more than they hold themselves.',
  access,
  stepUp: true,
  params,
  body: changeCapabilitiesBody,
  responses: { 200: capabilityMapSchema },
  errors: ['insufficient_capabilities', 'user_not_found', 'own_account_protected', 'last_administrator'],
})
export const beginViewAs = defineRoute({
  method: 'POST',
  path: '/admin/users/:id/view-as',
  tag,
  summary: 'View the panel as a user for 30 minutes. It is recorded in the user’s events.',
  access,
  stepUp: true,
  params,
  responses: { 201: null },
  errors: [
    'insufficient_capabilities',
    'user_not_found',
    'own_account_protected',
    'user_is_administrator',
    'user_suspended',
  ],
})
export const endViewAs = defineRoute({
  method: 'POST',
  path: '/users/view-as/end',
  tag,
  summary: 'Stop viewing the panel as another user. Not an error if the caller is not doing so.',
  access: { kind: 'public' },
  viewAs: true,
  responses: { 204: null },
  errors: [],
})
