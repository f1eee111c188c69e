/** Referral codes and who brought whom, and the queue for free servers. */
import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import {
  adminReferralQuery,
  adminReferralSchema,
  changeReferralCodeBody,
  referralCodeInfoSchema,
  referralCodeSchema,
  referralOverviewSchema,
  referralTimeSchema,
  reviewReferralBody,
  setReferrerBody,
  useReferralHoursBody,
} from './referral.ts'
import { csvFile, defineRoute } from '../route.ts'

const tag = 'Users'

export const getOwnReferralCode = defineRoute({
  method: 'GET',
  path: '/users/:id/ref',
  tag,
  summary: 'Get the user’s referral code. It is created on the first request.',
  access: { kind: 'self', param: 'id' },
  params: z.object({ id: idSchema }),
  responses: { 200: referralCodeInfoSchema },
  errors: ['user_not_found'],
})
export const getReferralCode = defineRoute({
  method: 'GET',
  path: '/users/ref/:id',
  tag,
  summary: 'Get a referral code by its id, such as a user’s `referrer_code_id`',
  access: { kind: 'user' },
  params: z.object({ id: idSchema }),
  responses: { 200: referralCodeInfoSchema },
  errors: ['resource_not_found'],
})
export const changeReferralCode = defineRoute({
  method: 'POST',
  path: '/users/:userId/ref/:oldRef',
  tag,
  summary: 'Change the user’s referral code. Links with the old one keep working.',
  access: { kind: 'self', param: 'userId' },
  params: z.object({ userId: idSchema, oldRef: referralCodeSchema }),
  body: changeReferralCodeBody,
  responses: { 200: referralCodeInfoSchema },
  errors: ['resource_not_found', 'resource_already_exists'],
})
export const validateReferralCode = defineRoute({
  method: 'GET',
  path: '/users/refs/validate/:ref',
  tag,
  summary: 'Get the hours that a referral code gives',
  access: { kind: 'public' },
  params: z.object({ ref: referralCodeSchema }),
  responses: { 200: referralTimeSchema },
  errors: ['resource_not_found'],
})
export const setReferrer = defineRoute({
  method: 'PUT',
  path: '/users/:userId/referral',
  tag,
  summary: 'Set the referral code that brought the user here. Allowed once.',
  access: { kind: 'self', param: 'userId' },
  params: z.object({ userId: idSchema }),
  body: setReferrerBody,
  responses: { 204: null },
  errors: ['resource_not_found', 'resource_already_exists', 'referral_not_allowed'],
})
export const checkReferralCode = defineRoute({
  method: 'GET',
  path: '/users/refs/:code',
  tag,
  summary: 'Check whether a referral code is taken (204) or available (404)',
  access: { kind: 'user' },
  params: z.object({ code: referralCodeSchema }),
  responses: { 204: null },
  errors: ['resource_not_found'],
})
export const getReferrals = defineRoute({
  method: 'GET',
  path: '/users/:id/referrals',
  tag,
  summary: 'Get the hours that a user has earned by inviting others, and how far each invited user has come',
  access: { kind: 'self', param: 'id' },
  params: z.object({ id: idSchema }),
  responses: { 200: referralOverviewSchema },
  errors: ['user_not_found'],
})
export const useReferralHours = defineRoute({
  method: 'POST',
  path: '/billings/services/:serviceId/ref',
  tag: 'Billing',
  summary: 'Add hours earned by invitations to a service',
  access: { kind: 'service', param: 'serviceId' },
  params: z.object({ serviceId: idSchema }),
  body: useReferralHoursBody,
  responses: { 204: null },
  errors: [
    'access_denied',
    'resource_not_found',
    'referral_not_allowed',
    'not_enough_referral_hours',
    'product_not_available',
  ],
  idempotent: true,
})

const administration = {
  tag: 'Administration',
  access: { kind: 'capability', capability: 'admin' },
  errors: ['insufficient_capabilities'],
} as const
export const listReferrals = defineRoute({
  ...administration,
  method: 'GET',
  path: '/admin/referrals',
  summary: 'List all referrals, newest first. With `review=waiting`, only those waiting for a decision.',
  query: adminReferralQuery,
  responses: { 200: z.object({ data: z.array(adminReferralSchema), count: z.int() }) },
})
export const exportReferrals = defineRoute({
  ...administration,
  method: 'GET',
  path: '/admin/referrals.csv',
  summary: 'Export all referrals and what they earned as CSV',
  ...csvFile,
})
export const reviewReferral = defineRoute({
  ...administration,
  method: 'PUT',
  path: '/admin/referrals/:userId',
  summary: 'Allow or refuse a referral that was held back. Refusing it takes back what it has earned.',
  params: z.object({ userId: idSchema }),
  body: reviewReferralBody,
  responses: { 200: adminReferralSchema },
  errors: ['insufficient_capabilities', 'resource_not_found'],
})
