import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { changeEngineBody, formatBody, serverEngineSchema } from './engine.ts'
import { allBusyCodes } from './operations.ts'

const tag = 'Servers'
const params = z.object({ id: idSchema })
const read = { kind: 'server', param: 'id', capability: 'server.manage.read' } as const
const manage = { kind: 'server', param: 'id', capability: 'server.manage' } as const
const hidden = ['server_id_not_found', 'insufficient_capabilities'] as const
const cannotChange = [
  ...hidden,
  'server_is_expired',
  'server_is_disabled',
  'too_many_requests',
  ...allBusyCodes,
] as const

export const getEngine = defineRoute({
  method: 'GET',
  path: '/servers/:id/engine',
  tag,
  summary: 'Get a server’s engine, and the one it can go back to',
  access: read,
  keyScope: 'access',
  params,
  responses: { 200: serverEngineSchema },
  errors: hidden,
})

const begun = z.object({
  change_engine_process_id: idSchema,
  /** The process that stops the game: the same one, where the game is up. */
  stop_game_process_id: idSchema.nullable(),
})
export const changeEngine = defineRoute({
  method: 'POST',
  path: '/servers/:id/engine',
  tag,
  summary: 'Change a server’s engine or its version. Everything is put back if the server does not start with it.',
  access: manage,
  keyScope: 'access',
  params,
  body: changeEngineBody,
  responses: { 202: begun },
  errors: [
    ...cannotChange,
    'engine_version_not_found',
    'engine_catalogue_unavailable',
    'world_is_newer',
    'packages_do_not_fit',
  ],
})
export const returnEngine = defineRoute({
  method: 'POST',
  path: '/servers/:id/engine/return',
  tag,
  summary: 'Go back to the engine and files from before the last change',
  access: manage,
  keyScope: 'access',
  params,
  responses: { 202: begun },
  errors: [...cannotChange, 'resource_not_found'],
})
export const formatServer = defineRoute({
  method: 'POST',
  path: '/servers/:id/format',
  tag,
  summary: 'Delete a server’s files and reinstall its engine',
  access: manage,
  keyScope: 'access',
  params,
  body: formatBody,
  responses: { 202: z.object({ format_process_id: idSchema, stop_game_process_id: idSchema.nullable() }) },
  errors: cannotChange,
})
