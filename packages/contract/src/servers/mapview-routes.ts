import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { changeMapSettingsBody, mapSettingsSchema, mapStateSchema, shownMapSchema } from './mapview.ts'

const tag = 'Maps'
const params = z.object({ id: idSchema })
const read = { kind: 'server', param: 'id', capability: 'server.manage.read' } as const
const manage = { kind: 'server', param: 'id', capability: 'server.manage' } as const
const hidden = ['server_id_not_found', 'insufficient_capabilities'] as const

export const getMapSettings = defineRoute({
  method: 'GET',
  path: '/servers/:id/mapview/settings',
  tag,
  summary: 'Get a server’s map settings, including whether it is on and who can see it',
  access: read,
  keyScope: 'access',
  params,
  responses: { 200: mapSettingsSchema },
  errors: hidden,
})
export const changeMapSettings = defineRoute({
  method: 'PUT',
  path: '/servers/:id/mapview/settings',
  tag,
  summary: 'Update a server’s map settings: on or off, public or private, its layers and areas',
  access: manage,
  keyScope: 'access',
  params,
  body: changeMapSettingsBody,
  responses: { 200: mapSettingsSchema },
  errors: hidden,
})
export const getMapState = defineRoute({
  method: 'GET',
  path: '/servers/:id/mapview',
  tag,
  summary: 'Get when a server’s map was last drawn, and when it will be drawn next',
  access: read,
  keyScope: 'access',
  params,
  responses: { 200: mapStateSchema },
  errors: hidden,
})
export const drawMap = defineRoute({
  method: 'POST',
  path: '/servers/:id/mapview/render',
  tag,
  summary:
    'Redraw what has changed since the last map, at most once every six hours. If a redraw is under way, its process is returned.',
  access: manage,
  keyScope: 'access',
  params,
  responses: { 202: z.object({ process_id: idSchema }) },
  errors: [
    ...hidden,
    'server_is_expired',
    'server_is_disabled',
    'server_is_preparing',
    'server_has_no_files',
    'map_not_available',
    'too_many_requests',
  ],
})
export const showMap = defineRoute({
  method: 'GET',
  path: '/mapview/:id',
  tag,
  summary: 'Get the map of a server. Public maps are open to everyone, others to users who can see the server.',
  access: { kind: 'public' },
  keyScope: 'any',
  params,
  responses: { 200: shownMapSchema },
  errors: ['server_id_not_found'],
})
