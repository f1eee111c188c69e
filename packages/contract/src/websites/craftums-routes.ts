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
  summary: 'Rent a website, paid from a wallet. It starts with a first page.',
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
  summary: 'Save a website’s name and content. The content is a draft until it is published.',
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
  summary: 'Get a website with its draft',
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
  summary: 'Check whether a website’s address is available. 204 means it is.',
  access: { kind: 'user' },
  params: z.object({ name: subdomainSchema }),
  responses: { 204: null },
  errors: ['resource_already_exists', 'domain_reserved'],
})
export const publishCraftum = defineRoute({
  method: 'POST',
  path: '/craftums/:id/publish',
  tag,
  summary: 'Publish the draft as a new version. The last 50 versions are kept.',
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
  summary: 'Take a website offline. Its draft and versions are kept.',
  access: craftum,
  params,
  responses: { 204: null },
  errors: [],
})
export const listCraftumVersions = defineRoute({
  method: 'GET',
  path: '/craftums/:id/versions',
  tag,
  summary: 'List the published versions of a website, newest first',
  access: craftum,
  params,
  responses: { 200: z.array(websiteVersionSchema) },
  errors: [],
})
export const restoreCraftumVersion = defineRoute({
  method: 'POST',
  path: '/craftums/:id/versions/:version/restore',
  tag,
  summary:
    'Replace the draft with an earlier version. The published website does not change until it is published again.',
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
  summary: 'List the images of a website, newest first',
  access: craftum,
  params,
  responses: { 200: z.array(websiteImageSchema) },
  errors: [],
})
export const addCraftumImages = defineRoute({
  method: 'POST',
  path: '/craftums/:id/images',
  tag,
  summary: 'Add images to a website, as a form with files named `image` (PNG, JPEG, WebP, GIF). Each is re-encoded.',
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
  summary: 'Delete an image of a website. It disappears from where it was used.',
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
  summary: 'Get the custom domain of a website and the DNS records it needs',
  access: craftum,
  params,
  responses: { 200: z.object({ domain: websiteDomainSchema.nullable() }) },
  errors: [],
})
export const setCraftumDomain = defineRoute({
  method: 'PUT',
  path: '/craftums/:id/domain',
  tag,
  summary: 'Set the custom domain of a website, replacing any other. It works once its TXT record is found.',
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
  summary: 'Check the DNS records of a website’s custom domain now',
  access: craftum,
  params,
  responses: { 200: z.object({ domain: websiteDomainSchema.nullable() }) },
  errors: ['resource_not_found', 'too_many_requests'],
})
export const removeCraftumDomain = defineRoute({
  method: 'DELETE',
  path: '/craftums/:id/domain',
  tag,
  summary: 'Remove the custom domain of a website. It stays available at its first address.',
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
  summary:
    'Check whether a website is served under a domain (204). Proxies ask this before getting a certificate for it.',
  access: { kind: 'public' },
  query: z.object({ domain: z.string().max(253) }),
  responses: { 204: null },
  errors: ['resource_not_found'],
})
