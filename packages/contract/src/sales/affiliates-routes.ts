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
  summary: 'Link, clicks, sign-ups and shares of an affiliate, and the rules for whoever is none yet',
  query: affiliateQuery,
  responses: { 200: affiliateSchema },
  errors: ['user_not_found'],
})
export const applyForAffiliate = defineRoute({
  ...own,
  method: 'POST',
  path: '/users/:id/affiliate',
  summary: 'Ask to take part; an administrator decides',
  body: applyAffiliateBody,
  responses: { 201: null },
  errors: ['user_not_found', 'resource_already_exists', 'email_not_verified'],
})
export const payOutAffiliate = defineRoute({
  ...own,
  method: 'POST',
  path: '/users/:id/affiliate/payouts',
  summary: 'Move available shares to a wallet of the same currency, as credit that is not paid out',
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
  summary: 'Count a visit by an affiliate’s link, without telling who it was: nothing is stored that outlives the day',
  access: { kind: 'public' },
  params: z.object({ code: referralCodeSchema }),
  responses: { 204: null },
  errors: [],
})
export const listAffiliates = defineRoute({
  ...administration,
  method: 'GET',
  path: '/admin/affiliates',
  summary: 'Who takes part or asks to, the latest first',
  query: adminAffiliateQuery,
  responses: { 200: z.object({ data: z.array(adminAffiliateSchema), count: z.int() }) },
  errors: ['insufficient_capabilities'],
})
export const changeAffiliate = defineRoute({
  ...administration,
  method: 'PUT',
  path: '/admin/affiliates/:userId',
  summary: 'Approve an affiliate, or suspend one: then nothing more is earned, released or paid out',
  params: z.object({ userId: idSchema }),
  body: changeAffiliateBody,
  responses: { 200: adminAffiliateSchema },
  errors: ['insufficient_capabilities', 'resource_not_found'],
})
export const exportAffiliates = defineRoute({
  ...administration,
  method: 'GET',
  path: '/admin/affiliates.csv',
  summary: 'All affiliates with what they have earned, as a CSV file',
  ...csvFile,
  errors: ['insufficient_capabilities'],
})
