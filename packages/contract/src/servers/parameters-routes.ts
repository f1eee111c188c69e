import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { allBusyCodes } from './operations.ts'
import { changeParametersBody, shownParametersSchema } from './parameters.ts'
import { changePropertiesBody, propertiesSchema } from './properties.ts'

const tag = 'Servers'
const params = z.object({ id: idSchema })
const manage = { kind: 'server', param: 'id', capability: 'server.manage' } as const
const hidden = ['server_id_not_found', 'insufficient_capabilities'] as const
const filesAway = ['server_is_preparing', 'server_is_expired', 'server_has_not_pod'] as const

export const getServerParameters = defineRoute({
  method: 'GET',
  path: '/servers/:id/parameters',
  tag,
  summary: 'Get a server’s settings for its owner: name, description, language, sleep, start flags',
  access: manage,
  keyScope: 'access',
  params,
  responses: { 200: shownParametersSchema },
  errors: hidden,
})
export const changeServerParameters = defineRoute({
  method: 'PATCH',
  path: '/servers/:id/parameters',
  tag,
  summary:
    'Update a server’s settings for its owner. Sleep can come sooner than in the plan, never later. Limits are set by administrators.',
  access: manage,
  keyScope: 'access',
  params,
  body: changeParametersBody,
  responses: { 200: shownParametersSchema },
  errors: [...hidden, ...allBusyCodes],
})
export const getServerProperties = defineRoute({
  method: 'GET',
  path: '/servers/:id/properties',
  tag,
  summary: 'Get the game’s settings (`server.properties`), without those that the owner cannot set',
  access: manage,
  keyScope: 'access',
  params,
  responses: { 200: propertiesSchema },
  errors: [...hidden, ...filesAway],
})
export const changeServerProperties = defineRoute({
  method: 'PATCH',
  path: '/servers/:id/properties',
  tag,
  summary: 'Update the game’s settings. They take effect at the next start.',
  access: manage,
  keyScope: 'access',
  params,
  body: changePropertiesBody,
  responses: { 200: propertiesSchema },
  errors: [...hidden, ...filesAway],
})
