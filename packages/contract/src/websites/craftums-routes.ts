import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { craftumSchema, createCraftumBody } from '../sales/craftum.ts'
import { orderVoucherFaults } from '../sales/voucher.ts'
import { subdomainSchema } from '../validation.ts'
import { changeCraftumBody, craftumParametersSchema, websiteVersionSchema } from './website.ts'

const tag = 'Websites'
const craftum = { kind: 'craftum', param: 'id' } as const
const params = z.object({ id: idSchema })
const versionParams = z.object({ id: idSchema, version: z.coerce.number().int().min(1).max(1_000_000) })

export const createCraftum = defineRoute({
  method: 'POST',
  path: '/craftums',
  tag,
  summary: 'Rent a website, paid from a wallet, with a first page to begin with',
  access: { kind: 'capability', capability: 'user.craftum' },
  body: createCraftumBody,
  responses: { 201: craftumSchema },
  errors: [
    'email_not_verified',
    'product_not_found',
    'product_not_available',
    'no_price_for_parameters',
    'product_has_no_price_for_selected_currency',
    'resource_already_exists',
    'domain_reserved',
    'wallet_not_found',
    'wallet_has_other_currency',
    'wallet_has_not_funds',
    'user_has_debts',
    'unsupported_payment_method',
    'insufficient_capabilities',
    'affiliate_not_active',
    'affiliate_has_not_funds',
    'pay_later_not_available',
    'idempotency_key_reused',
    ...orderVoucherFaults,
  ],
  idempotent: true,
})
export const changeCraftum = defineRoute({
  method: 'PUT',
  path: '/craftums/:id',
  tag,
  summary: 'Save a website: its name, and its content as a draft that nobody sees until it is published',
  access: craftum,
  params,
  body: changeCraftumBody,
  responses: { 204: null },
  errors: ['website_changed_since', 'request_too_large'],
})
export const getCraftumParameters = defineRoute({
  method: 'GET',
  path: '/craftums/:id/parameters',
  tag,
  summary: 'A website with its draft, its pictures and its domain',
  access: craftum,
  params,
  responses: { 200: craftumParametersSchema },
  errors: [],
})
// added
export const checkWebsiteName = defineRoute({
  method: 'GET',
  path: '/craftums/names/:name',
  tag,
  summary: 'Whether the address of a website is free (204)',
  access: { kind: 'user' },
  params: z.object({ name: subdomainSchema }),
  responses: { 204: null },
  errors: ['resource_already_exists', 'domain_reserved'],
})
export const publishCraftum = defineRoute({
  method: 'POST',
  path: '/craftums/:id/publish',
  tag,
  summary: 'Publish the draft as a new version; of the old ones the last 50 are kept',
  access: craftum,
  params,
  body: z.object({ revision: z.int().min(1) }),
  responses: { 201: websiteVersionSchema },
  errors: ['website_changed_since', 'website_is_expired'],
})
export const unpublishCraftum = defineRoute({
  method: 'DELETE',
  path: '/craftums/:id/publish',
  tag,
  summary: 'Take a website off; draft and versions stay',
  access: craftum,
  params,
  responses: { 204: null },
  errors: [],
})
export const listCraftumVersions = defineRoute({
  method: 'GET',
  path: '/craftums/:id/versions',
  tag,
  summary: 'What was published of a website, newest first',
  access: craftum,
  params,
  responses: { 200: z.array(websiteVersionSchema) },
  errors: [],
})
export const restoreCraftumVersion = defineRoute({
  method: 'POST',
  path: '/craftums/:id/versions/:version/restore',
  tag,
  summary: 'Have the draft be what a version was; what is published stays until it is published anew',
  access: craftum,
  params: versionParams,
  body: z.object({ revision: z.int().min(1) }),
  responses: { 200: craftumParametersSchema },
  errors: ['website_changed_since', 'resource_not_found'],
})
