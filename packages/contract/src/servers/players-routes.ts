import { z } from 'zod'
import { idSchema } from '../primitives.ts'
import { defineRoute } from '../route.ts'
import { cannotRead, cannotWrite } from './file-errors.ts'
import * as players from './players.ts'

const tag = 'Players'
const params = z.object({ id: idSchema })
const read = { kind: 'server', param: 'id', capability: 'server.manage.read' } as const
const manage = { kind: 'server', param: 'id', capability: 'server.manage.players' } as const
/** An operator can do in the game what the console can. */
const operators = { kind: 'server', param: 'id', capability: 'server.manage.console' } as const
const all = { kind: 'server', param: 'id', capability: 'server.manage' } as const

const cannotFind = [...cannotRead, 'file_does_not_exist', 'invalid_file'] as const
/** The game is starting or stopping, or it is up and has no command for that. */
const cannotChange = [
  ...cannotWrite,
  'invalid_request',
  'server_is_running',
  'server_is_not_stopped',
  'server_is_not_running',
  'player_not_foound',
  'minecraft_profiles_unavailable',
  'file_has_been_modified_since',
  'file_has_other_type',
  'file_does_not_exist',
  'file_is_too_large',
  'disc_quota_exceeding',
  'invalid_file',
] as const

export const getPlayers = defineRoute({
  method: 'GET',
  path: '/servers/:id/players',
  tag,
  summary:
    'Get who is online, everyone who has ever joined, and the game’s player lists, whether or not the game is running',
  access: read,
  keyScope: 'access',
  params,
  responses: { 200: players.playersSchema },
  errors: cannotFind,
})
export const getPlayerHistory = defineRoute({
  method: 'GET',
  path: '/servers/:id/players/history',
  tag,
  summary: 'Get how many players came per hour or day, and the most recent of them',
  access: read,
  keyScope: 'access',
  params,
  query: players.playerHistoryQuery,
  responses: { 200: players.playerHistorySchema },
  errors: ['server_id_not_found', 'insufficient_capabilities'],
})
export const getPlayer = defineRoute({
  method: 'GET',
  path: '/servers/:id/players/:player_id',
  tag,
  summary: 'Get a player’s position, inventory and visits',
  access: manage,
  keyScope: 'access',
  params: players.serverPlayerParams,
  responses: { 200: players.playerDetailsSchema },
  errors: cannotFind,
})
export const changePlayer = defineRoute({
  method: 'PATCH',
  path: '/servers/:id/players/:player_id',
  tag,
  summary: 'Change a player’s inventory, position or state. The game must be off or asleep.',
  access: manage,
  keyScope: 'access',
  params: players.serverPlayerParams,
  body: players.changePlayerBody,
  responses: { 200: z.object({ revision: z.string() }) },
  errors: cannotChange,
})
export const changePlayerList = defineRoute({
  method: 'POST',
  path: '/servers/:id/players/lists',
  tag,
  summary: 'Change the whitelist and bans: by command while the game is running, otherwise in its files',
  access: manage,
  keyScope: 'access',
  params,
  body: players.listChangeBody,
  responses: { 200: players.listChangedSchema },
  errors: cannotChange,
})
export const changeOperators = defineRoute({
  method: 'POST',
  path: '/servers/:id/players/operators',
  tag,
  summary: 'Make a player an operator, or remove them. The caller needs access to the console.',
  access: operators,
  keyScope: 'access',
  params,
  body: players.operatorBody,
  responses: { 200: players.listChangedSchema },
  errors: cannotChange,
})
export const actOnPlayer = defineRoute({
  method: 'POST',
  path: '/servers/:id/players/actions',
  tag,
  summary: 'Kick, message or teleport a player who is online, or change their game mode',
  access: manage,
  keyScope: 'access',
  params,
  body: players.playerActionBody,
  responses: { 204: null },
  errors: cannotChange,
})
export const forgetPlayer = defineRoute({
  method: 'POST',
  path: '/servers/:id/players/forget',
  tag,
  summary:
    'Permanently remove everything stored about a player: lists, world files, joins, names in events. The game must be off.',
  access: all,
  keyScope: 'access',
  params,
  body: players.forgetPlayerBody,
  responses: { 204: null },
  errors: cannotChange,
})
