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
  summary: 'What the owner has set: name, description, language, sleep, start flags',
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
    'Change some of what the owner may set; a server sleeps sooner than its plan says, never later. Its limits are for administrators to set',
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
  summary: 'Settings of the game: `server.properties`, without what is not the owner’s to set',
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
  summary: 'Change some settings of the game; they come with its next start',
  access: manage,
  keyScope: 'access',
  params,
  body: changePropertiesBody,
  responses: { 200: propertiesSchema },
  errors: [...hidden, ...filesAway],
})
