import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { cannotRead, cannotWrite } from './file-errors.ts'
import { ticketSchema } from './files.ts'
import * as worlds from './worlds.ts'

const tag = 'Worlds'
const params = z.object({ id: idSchema })
const manage = { kind: 'server', param: 'id', capability: 'server.manage' } as const
const shared = { tag, access: manage, keyScope: 'access', params } as const
const begun = { 202: worlds.begunWorldChangeSchema }

const cannotFind = [...cannotRead, 'world_not_found'] as const
const cannotChange = [
  ...cannotWrite,
  'server_is_expired',
  'world_not_found',
  'world_cannot_do_that',
  'file_does_not_exist',
] as const

export const listWorlds = defineRoute({
  ...shared,
  method: 'GET',
  path: '/servers/:id/worlds',
  summary: 'List the worlds on a server’s disk with their details',
  responses: { 200: worlds.worldListSchema },
  errors: [...cannotRead, 'invalid_file'],
})
export const editWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/edit',
  summary:
    'Change a world’s rules, difficulty, spawn, border or time, by command while it’s played; if the game has to stop, `in_seconds` warns players',
  body: worlds.editWorldBody,
  responses: begun,
  errors: [...cannotChange, 'server_is_not_running', 'invalid_file'],
})
export const downloadWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/download',
  summary: 'Create a ticket for downloading a world as a zip. If a game is playing it, the game saves first.',
  viewAs: true, // reading
  body: worlds.oneWorldBody,
  responses: { 201: ticketSchema },
  errors: [...cannotFind, 'file_does_not_exist'],
})
export const importWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/import',
  summary: 'Create a world from an uploaded archive. The world can be in any folder of the archive.',
  body: worlds.importWorldBody,
  responses: begun,
  errors: [...cannotChange, 'resource_already_exists'],
})
export const duplicateWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/duplicate',
  summary: 'Copy a world. A game that is playing it pauses saving until the copy is done.',
  body: worlds.namedWorldBody,
  responses: begun,
  errors: [...cannotChange, 'resource_already_exists'],
})
export const renameWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/rename',
  summary: 'Rename a world. If it is the one being played, the game plays it under the new name.',
  body: worlds.renameWorldBody,
  responses: begun,
  errors: [...cannotChange, 'resource_already_exists'],
})
export const resetDimension = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/reset',
  summary: 'Move one dimension to the trash. The game generates it again from the same seed.',
  body: worlds.resetDimensionBody,
  responses: begun,
  errors: cannotChange,
})
export const switchWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/switch',
  summary:
    'Switch the game to another world. With `in_seconds`, players are warned first. Refused if a newer game version has saved it.',
  body: worlds.changeWorldBody,
  responses: begun,
  errors: [...cannotChange, 'world_is_newer'],
})
export const createWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/create',
  summary:
    'Create a new world with a given seed and generator, and switch the game to it. With `in_seconds`, players are warned first.',
  body: worlds.createWorldBody,
  responses: begun,
  errors: [...cannotChange, 'resource_already_exists'],
})
export const deleteWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/trash',
  summary: 'Move a world to the trash for seven days. Refused for the world being played.',
  body: worlds.changeWorldBody,
  responses: begun,
  errors: cannotChange,
})
export const scanWorld = defineRoute({
  ...shared,
  method: 'GET',
  path: '/servers/:id/worlds/prune',
  summary:
    'Estimate what pruning would remove: `[done, total, chunks, unused, bytes, damaged, region]` per line, complete in the last',
  query: worlds.scanWorldQuery,
  streams: 'application/x-ndjson',
  responses: { 200: z.custom<AsyncIterable<string>>() },
  errors: [...cannotFind, 'world_cannot_do_that'],
})
export const pruneWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/prune',
  summary:
    'Move chunks where hardly anyone has been to the trash. The game generates them again when someone goes there.',
  body: worlds.pruneWorldBody,
  responses: begun,
  errors: cannotChange,
})
