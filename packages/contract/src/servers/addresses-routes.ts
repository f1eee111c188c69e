import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { addressesSchema, addressSchema, ownDomainSchema } from './addresses.ts'

const tag = 'Domains'
const params = z.object({ id: idSchema })
const one = z.object({ id: idSchema, domain_id: idSchema })
const read = { kind: 'server', param: 'id', capability: 'server.manage.read' } as const
const manage = { kind: 'server', param: 'id', capability: 'server.manage' } as const
const hidden = ['server_id_not_found', 'insufficient_capabilities'] as const
const taking = [
  ...hidden,
  'domain_invalid_subdomain',
  'domain_reserved',
  'too_many_free_domains',
  'resource_already_exists',
  'too_many_requests',
] as const
const name = z.object({ subdomain: z.string().max(253), zone_name: z.string().max(253) })

export const listAddresses = defineRoute({
  method: 'GET',
  path: '/servers/:id/domains',
  tag,
  summary: 'All names of a server, whether they work, and the records that make them work',
  access: read,
  keyScope: 'access',
  params,
  responses: { 200: addressesSchema },
  errors: hidden,
})
export const setPrimaryDomain = defineRoute({
  method: 'POST',
  path: '/servers/:id/domains/primary',
  tag,
  summary:
    'Have players join by this name. One that the server has already changes places with the present one; a new one takes its place, which stays reserved for 30 days',
  access: manage,
  keyScope: 'access',
  params,
  body: name,
  responses: { 200: addressSchema },
  errors: taking,
})
export const addSecondaryDomain = defineRoute({
  method: 'POST',
  path: '/servers/:id/domains/secondary',
  tag,
  summary: 'Give a server one more name',
  access: manage,
  keyScope: 'access',
  params,
  body: name,
  responses: { 200: addressSchema },
  errors: taking,
})
export const addOwnDomain = defineRoute({
  method: 'POST',
  path: '/servers/:id/domains/own',
  tag,
  summary: 'Claim a domain of one’s own. It leads to the server once its TXT record is found',
  access: manage,
  keyScope: 'access',
  params,
  body: z.object({ fqdn: ownDomainSchema }),
  responses: { 200: addressSchema },
  errors: taking,
})
export const checkAddress = defineRoute({
  method: 'POST',
  path: '/servers/:id/domains/:domain_id/check',
  tag,
  summary: 'Look at the records of a name now',
  access: manage,
  keyScope: 'access',
  params: one,
  responses: { 200: addressSchema },
  errors: [...hidden, 'resource_not_found', 'pdns_record_not_found', 'zone_id_not_found', 'too_many_requests'],
})
export const releaseDomain = defineRoute({
  method: 'DELETE',
  path: '/servers/:id/domains/:domain_id',
  tag,
  summary:
    'Give a name up. It stays reserved for 30 days; a server that has no other gets a generated one in the place of its primary',
  access: manage,
  keyScope: 'access',
  params: one,
  responses: { 204: null },
  errors: [...hidden, 'resource_not_found'],
})
