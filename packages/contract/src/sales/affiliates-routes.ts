/** The affiliate programme. */
import { z } from 'zod'
import {
  adminAffiliateQuery,
  adminAffiliateSchema,
  affiliateQuery,
  affiliateSchema,
  applyAffiliateBody,
  changeAffiliateBody,
  payOutBody,
} from './affiliate.ts'
import { idSchema } from '../primitives.ts'
import { referralCodeSchema } from './referral.ts'
import { csvFile, defineRoute } from '../route.ts'

const tag = 'Affiliates'
const own = { tag, access: { kind: 'self', param: 'id' }, params: z.object({ id: idSchema }) } as const
const administration = { tag: 'Administration', access: { kind: 'capability', capability: 'admin' } } as const

export const getAffiliate = defineRoute({
  ...own,
  method: 'GET',
  path: '/users/:id/affiliate',
  summary:
    'Get an affiliate’s link, clicks, sign-ups and commission, or the programme’s rules for a user who is not taking part',
  query: affiliateQuery,
  responses: { 200: affiliateSchema },
  errors: ['user_not_found'],
})
export const applyForAffiliate = defineRoute({
  ...own,
  method: 'POST',
  path: '/users/:id/affiliate',
  summary: 'Apply to the affiliate programme. An administrator decides.',
  body: applyAffiliateBody,
  responses: { 201: null },
  errors: ['user_not_found', 'resource_already_exists', 'email_not_verified'],
})
export const payOutAffiliate = defineRoute({
  ...own,
  method: 'POST',
  path: '/users/:id/affiliate/payouts',
  summary: 'Move available commission to a wallet of the same currency, as credit that cannot be paid out',
  body: payOutBody,
  responses: { 201: null },
  errors: [
    'user_not_found',
    'access_denied',
    'affiliate_not_active',
    'affiliate_has_not_funds',
    'wallet_not_found',
    'wallet_has_other_currency',
  ],
  idempotent: true,
})
export const countClick = defineRoute({
  method: 'POST',
  path: '/users/refs/:code/click',
  tag,
  summary: 'Count a visit through an affiliate link. Nothing that identifies the visitor is kept beyond the day.',
  access: { kind: 'public' },
  params: z.object({ code: referralCodeSchema }),
  responses: { 204: null },
  errors: [],
})
export const listAffiliates = defineRoute({
  ...administration,
  method: 'GET',
  path: '/admin/affiliates',
  summary: 'List affiliates and applicants, newest first',
  query: adminAffiliateQuery,
  responses: { 200: z.object({ data: z.array(adminAffiliateSchema), count: z.int() }) },
  errors: ['insufficient_capabilities'],
})
export const changeAffiliate = defineRoute({
  ...administration,
  method: 'PUT',
  path: '/admin/affiliates/:userId',
  summary: 'Approve or suspend an affiliate. A suspended affiliate earns nothing more and is not paid.',
  params: z.object({ userId: idSchema }),
  body: changeAffiliateBody,
  responses: { 200: adminAffiliateSchema },
  errors: ['insufficient_capabilities', 'resource_not_found'],
})
export const exportAffiliates = defineRoute({
  ...administration,
  method: 'GET',
  path: '/admin/affiliates.csv',
  summary: 'Export all affiliates and their earnings as CSV',
  ...csvFile,
  errors: ['insufficient_capabilities'],
})
