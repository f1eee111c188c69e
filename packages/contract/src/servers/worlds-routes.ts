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
  summary: 'The worlds of a server as they are on its disk, with what each tells of itself',
  responses: { 200: worlds.worldListSchema },
  errors: [...cannotRead, 'invalid_file'],
})
export const editWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/edit',
  summary:
    'Change rules, difficulty, spawn, border or time of a world: by commands while it is played, else in its files',
  body: worlds.editWorldBody,
  responses: begun,
  errors: [...cannotChange, 'server_is_not_running', 'invalid_file'],
})
export const downloadWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/download',
  summary: 'A ticket for a world as a zip, made while it goes; a game that plays it writes it first',
  viewAs: true, // reading
  body: worlds.oneWorldBody,
  responses: { 201: ticketSchema },
  errors: [...cannotFind, 'file_does_not_exist'],
})
export const importWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/import',
  summary: 'Make a world of an archive that was uploaded; it is found wherever it stands in there',
  body: worlds.importWorldBody,
  responses: begun,
  errors: [...cannotChange, 'resource_already_exists'],
})
export const duplicateWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/duplicate',
  summary: 'Copy a world; a game that plays it stops writing meanwhile and goes on',
  body: worlds.namedWorldBody,
  responses: begun,
  errors: [...cannotChange, 'resource_already_exists'],
})
export const renameWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/rename',
  summary: 'Give a world another name; of the one that is played, the game plays it under the new one',
  body: worlds.namedWorldBody,
  responses: begun,
  errors: [...cannotChange, 'resource_already_exists'],
})
export const resetDimension = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/reset',
  summary: 'Put one dimension into the trash, so that the game makes it anew from the same seed',
  body: worlds.resetDimensionBody,
  responses: begun,
  errors: cannotChange,
})
export const switchWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/switch',
  summary: 'Have the game play another world; refused for one that a newer game has saved',
  body: worlds.oneWorldBody,
  responses: begun,
  errors: [...cannotChange, 'world_is_newer'],
})
export const createWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/create',
  summary: 'Have the game make a new world with this seed and generator, and play it',
  body: worlds.createWorldBody,
  responses: begun,
  errors: [...cannotChange, 'resource_already_exists'],
})
export const deleteWorld = defineRoute({
  ...shared,
  method: 'POST',
  path: '/servers/:id/worlds/trash',
  summary: 'Put a world into the trash, where it waits for seven days; not the one that is played',
  body: worlds.oneWorldBody,
  responses: begun,
  errors: cannotChange,
})
export const scanWorld = defineRoute({
  ...shared,
  method: 'GET',
  path: '/servers/:id/worlds/prune',
  summary:
    'How much pruning would take: `[done, total, chunks, unused, bytes, damaged, region]` per line, the last of them whole',
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
    'Put chunks near which hardly anybody was into the trash; the game makes them anew when somebody comes there',
  body: worlds.pruneWorldBody,
  responses: begun,
  errors: cannotChange,
})
