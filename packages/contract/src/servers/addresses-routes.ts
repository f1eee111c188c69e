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
  summary: 'List a server’s domain names, whether they work, and the DNS records they need',
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
    'Set the name that players join by. An existing name trades places with the current one; a new one replaces it, and the old name stays reserved for 30 days.',
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
  summary: 'Add another name to a server',
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
  summary: 'Add a custom domain to a server. It works once its TXT record is found.',
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
  summary: 'Check a name’s DNS records now',
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
  summary: 'Release a name. It stays reserved for 30 days. A server with no other name gets a generated primary one.',
  access: manage,
  keyScope: 'access',
  params: one,
  responses: { 204: null },
  errors: [...hidden, 'resource_not_found'],
})
