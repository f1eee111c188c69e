import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'

export const checkDomain = defineRoute({
  method: 'POST',
  path: '/domains/availability',
  tag: 'Domains',
  summary:
    'Check whether an address is taken. 404 means it is free. With `full=1`, returns the id of its server (null while it is only reserved), or 204 if it is free.',
  access: { kind: 'public' },
  keyScope: 'any',
  query: z.object({ full: z.literal('1').optional() }),
  body: z.object({ subdomain: z.string().max(253), zone_name: z.string().max(253) }),
  responses: { 200: z.object({ server_id: idSchema.nullable() }), 204: null },
  errors: ['resource_not_found', 'domain_invalid_subdomain', 'domain_reserved'],
})
