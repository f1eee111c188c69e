import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { antibotSchema, changeAntibotBody } from './antibot.ts'

const tag = 'Servers'
const params = z.object({ id: idSchema })
const hidden = ['server_id_not_found', 'insufficient_capabilities'] as const

export const getAntibot = defineRoute({
  method: 'GET',
  path: '/servers/:id/antibot',
  tag,
  summary: 'Get a server’s bot protection, its attacks, and the joins and refusals of the last day',
  access: { kind: 'server', param: 'id', capability: 'server.manage.read' },
  keyScope: 'access',
  params,
  responses: { 200: antibotSchema },
  errors: hidden,
})
export const changeAntibot = defineRoute({
  method: 'POST',
  path: '/servers/:id/antibot',
  tag,
  summary: 'Set a server’s bot protection to always, never, or only during attacks',
  access: { kind: 'server', param: 'id', capability: 'server.manage' },
  keyScope: 'access',
  params,
  body: changeAntibotBody,
  responses: { 200: antibotSchema },
  errors: hidden,
})
