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
  summary: 'Whether the worlds of a server are drawn as a map, and who may see it',
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
  summary: 'Turn the map of a server on or off, show it to everybody, choose its layers, draw areas over it',
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
  summary: 'When the map of a server was drawn, and when it is drawn next',
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
  summary: 'Draw what has changed since the last map, every six hours; while it is being drawn, that process is told',
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
  summary: 'The map of a server, for everybody where it is public, else for those who may see the server',
  access: { kind: 'public' },
  keyScope: 'any',
  params,
  responses: { 200: shownMapSchema },
  errors: ['server_id_not_found'],
})
