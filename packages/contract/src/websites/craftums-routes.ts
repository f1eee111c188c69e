import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { craftumSchema, createCraftumBody } from '../sales/craftum.ts'
import { orderVoucherFaults } from '../sales/voucher.ts'
import { subdomainSchema } from '../validation.ts'
import { ownDomainSchema } from '../servers/addresses.ts'
import { websiteLimits } from './content.ts'
import { websiteDomainSchema } from './domain.ts'
import { changeCraftumBody, craftumParametersSchema, websiteImageSchema, websiteVersionSchema } from './website.ts'

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
  summary: 'A website with its draft',
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
export const listCraftumImages = defineRoute({
  method: 'GET',
  path: '/craftums/:id/images',
  tag,
  summary: 'Pictures of a website, newest first',
  access: craftum,
  params,
  responses: { 200: z.array(websiteImageSchema) },
  errors: [],
})
export const addCraftumImages = defineRoute({
  method: 'POST',
  path: '/craftums/:id/images',
  tag,
  summary: 'Add pictures to a website: a form with files named `image` (PNG, JPEG, WebP, GIF); each is drawn anew',
  access: craftum,
  params,
  takesFiles: true,
  fileLimits: { files: 10, bytes: websiteLimits.imageBytes },
  body: z.object({}),
  responses: { 201: z.array(websiteImageSchema) },
  errors: ['invalid_file', 'file_is_too_large', 'website_is_full', 'request_too_large'],
})
export const deleteCraftumImage = defineRoute({
  method: 'DELETE',
  path: '/craftums/:id/images/:name',
  tag,
  summary: 'Delete a picture of a website; where it stood there is none then',
  access: craftum,
  params: z.object({ id: idSchema, name: z.string().max(80) }),
  responses: { 204: null },
  errors: ['resource_not_found'],
})
const domainErrors = ['domain_invalid_subdomain', 'too_many_requests'] as const
export const getCraftumDomain = defineRoute({
  method: 'GET',
  path: '/craftums/:id/domain',
  tag,
  summary: 'The domain of one’s own under which a website is shown, and the records that it needs',
  access: craftum,
  params,
  responses: { 200: z.object({ domain: websiteDomainSchema.nullable() }) },
  errors: [],
})
export const setCraftumDomain = defineRoute({
  method: 'PUT',
  path: '/craftums/:id/domain',
  tag,
  summary: 'Claim a domain of one’s own for a website, in place of another one. It counts once its TXT record is found',
  access: craftum,
  params,
  body: z.object({ fqdn: ownDomainSchema }),
  responses: { 200: websiteDomainSchema },
  errors: domainErrors,
})
export const checkCraftumDomain = defineRoute({
  method: 'POST',
  path: '/craftums/:id/domain/check',
  tag,
  summary: 'Look at the records of a website’s domain now',
  access: craftum,
  params,
  responses: { 200: z.object({ domain: websiteDomainSchema.nullable() }) },
  errors: ['resource_not_found', 'too_many_requests'],
})
export const removeCraftumDomain = defineRoute({
  method: 'DELETE',
  path: '/craftums/:id/domain',
  tag,
  summary: 'Show a website under its first address alone',
  access: craftum,
  params,
  responses: { 204: null },
  errors: ['resource_not_found'],
})
// added
export const askForCertificate = defineRoute({
  method: 'GET',
  path: '/craftums/served',
  tag,
  summary: 'Whether a website is shown under this domain (204): asked by proxies before they get a certificate for it',
  access: { kind: 'public' },
  query: z.object({ domain: z.string().max(253) }),
  responses: { 204: null },
  errors: ['resource_not_found'],
})
