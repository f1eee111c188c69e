/** Who plays on a server, who ever did, and whom it lets in. */
import { z } from 'zod'
import { idSchema, timeSchema } from '../primitives.ts'
import { isTimeZone } from '../time-zone.ts'
import type { Game } from './server.ts'

export const playerLimits = {
  nameLength: 32,
  /** Characters of a reason or a message: they go through a console line. */
  textLength: 200,
  /** Blocks from the middle of a world, and up or down. */
  farthest: 30_000_000,
  highest: 20_000,
  /** Things changed at once: an inventory and a chest have no more slots. */
  items: 80,
  sessionsTold: 100,
} as const

/** Bridges for Bedrock players put a `.` or `*` before the name. */
const javaName = /^[.*]?\w{1,16}$/
/** Letters of any script, no quotes: in commands the name stands between them. */
const bedrockName = /^[\p{L}\p{N}][\p{L}\p{N} _#'-]{0,31}$/u

/** Whether a game of this edition knows such names; what passes can stand in a command without harm. */
export const isPlayerName = (game: Game, name: string) =>
  (game === 'minecraft-bedrock' ? bedrockName : javaName).test(name) && !name.endsWith(' ')

const name = z
  .string()
  .trim()
  .max(playerLimits.nameLength)
  .refine((text) => isPlayerName('minecraft-java', text) || isPlayerName('minecraft-bedrock', text), 'no_player_name')
/** One line of plain letters. Games put the names of players in the place of `@a` and its kin. */
const line = z
  .string()
  .trim()
  .max(playerLimits.textLength)
  .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}§]|@[aceinprsv]/iu.test(text), 'one_line')
const reason = line.default('')
/** When it ends by itself; null: never. */
const until = timeSchema.nullable().default(null)
const ip = z.union([z.ipv4(), z.ipv6()])
const coordinate = (most: number) => z.number().min(-most).max(most)
const spot = z.object({
  x: coordinate(playerLimits.farthest),
  y: coordinate(playerLimits.highest),
  z: coordinate(playerLimits.farthest),
})
export const playerGameModes = ['survival', 'creative', 'adventure', 'spectator'] as const
export type PlayerGameMode = (typeof playerGameModes)[number]
const gameMode = z.enum(playerGameModes)
/** The UUID of a Java account. */
export const javaIdSchema = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)

export const listChangeBody = z.discriminatedUnion('list', [
  z.strictObject({ list: z.literal('whitelist'), action: z.enum(['add', 'remove']), name }),
  z.strictObject({ list: z.literal('whitelist_state'), on: z.boolean() }),
  z.strictObject({ list: z.literal('bans'), action: z.literal('add'), name, reason, until }),
  z.strictObject({ list: z.literal('pardons'), action: z.literal('add'), name }),
  z.strictObject({ list: z.literal('address_bans'), action: z.literal('add'), ip, reason, until }),
  z.strictObject({ list: z.literal('address_pardons'), action: z.literal('add'), ip }),
])
export type ListChange = z.output<typeof listChangeBody>

export const operatorBody = z.discriminatedUnion('action', [
  /** Without a level the game's own; another one can be given only while the game is down, which has no command for it. */
  z.strictObject({ action: z.literal('add'), name, level: z.int().min(1).max(4).optional() }),
  z.strictObject({ action: z.literal('remove'), name }),
])
export type OperatorChange = z.output<typeof operatorBody>

/** `confirmed` false: the game was told, and its files do not say so yet. Null: it keeps no file that would. */
export const listChangedSchema = z.object({ confirmed: z.boolean().nullable() })

export const playerActionBody = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('kick'), name, reason }),
  z.strictObject({ action: z.literal('message'), name, text: line.min(1) }),
  z.strictObject({ action: z.literal('teleport'), name, to: z.union([z.strictObject({ name }), spot]) }),
  z.strictObject({ action: z.literal('game_mode'), name, mode: gameMode }),
])
export type PlayerAction = z.output<typeof playerActionBody>

export const itemContainers = ['inventory', 'ender_chest'] as const
const itemId = z
  .string()
  .max(100)
  .regex(/^[a-z0-9_.-]+:[a-z0-9_./-]+$/)
export const changePlayerBody = z.strictObject({
  /** Of the file as it was read: another one means that the game, or somebody else, has written it since. */
  revision: z.string().min(1).max(100),
  health: z.number().min(0).max(1024).optional(),
  food: z.int().min(0).max(20).optional(),
  level: z.int().min(0).max(1_000_000).optional(),
  position: spot.optional(),
  game_mode: gameMode.optional(),
  /** `item` null: nothing lies there any more. */
  items: z
    .array(
      z.strictObject({
        container: z.enum(itemContainers),
        slot: z.int().min(-106).max(103),
        item: z.strictObject({ id: itemId, count: z.int().min(1).max(99) }).nullable(),
      }),
    )
    .max(playerLimits.items)
    .optional(),
})
export type PlayerChange = z.output<typeof changePlayerBody>

/** One of both at least. */
export const forgetPlayerBody = z
  .strictObject({ id: z.union([javaIdSchema, z.string().regex(/^\d{1,20}$/)]).nullable(), name: name.nullable() })
  .refine(({ id, name: called }) => id !== null || called !== null, { path: ['name'], error: 'required' })

const told = z.string()
const banFields = {
  created_at: timeSchema.nullable(),
  source: told,
  reason: told,
  /** When it ends by itself; null: never. */
  until: timeSchema.nullable(),
}
export const playersSchema = z.object({
  edition: z.enum(['java', 'bedrock']),
  /** How lists are changed now: by commands, in the files, or not at all because the game is starting or stopping. */
  changed_by: z.enum(['commands', 'files']).nullable(),
  /** Whether an operator's level can be chosen now: in files always, of a game that is up only where it can be managed. */
  takes_levels: z.boolean(),
  /** Whether accounts are checked. Where not, anybody may come under any name, and UUIDs are made of names. */
  online_mode: z.boolean(),
  online: z.array(z.object({ name: told, id: told.nullable(), since: timeSchema.nullable() })),
  whitelist_on: z.boolean(),
  whitelist: z.array(z.object({ id: told.nullable(), name: told })),
  operators: z.array(z.object({ id: told, name: told.nullable(), level: z.int() })),
  bans: z.array(z.object({ id: told, name: told, ...banFields })),
  /** Null: not for this caller. */
  address_bans: z.array(z.object({ ip: told, ...banFields })).nullable(),
  /** Everybody who has ever come or is on a list, the latest first. */
  known: z.array(
    z.object({
      id: told.nullable(),
      name: told.nullable(),
      played_seconds: z.int().nullable(),
      first_seen: timeSchema.nullable(),
      last_seen: timeSchema.nullable(),
      /** Whether the game keeps a file of them that can be shown. */
      has_data: z.boolean(),
    }),
  ),
  /** There are more than are told. */
  truncated: z.boolean(),
})
export type Players = z.infer<typeof playersSchema>
export type KnownPlayer = Players['known'][number]

const stackSchema = z.object({
  slot: z.int(),
  id: told,
  count: z.int(),
  special: z.boolean(),
  name: told.nullable(),
  enchantments: z.array(z.object({ id: told, level: z.number() })),
  damage: z.number(),
})
export type PlayerStack = z.infer<typeof stackSchema>
const amount = z.number().nullable()
const anySpot = z.object({ x: z.number(), y: z.number(), z: z.number() }).nullable()
const sessionSchema = z.object({ name: told, joined_at: timeSchema, left_at: timeSchema.nullable() })
export type PlayerSession = z.infer<typeof sessionSchema>
export const playerDetailsSchema = z.object({
  /** Null: the game keeps none of them, or not in a form that is read here. */
  data: z
    .object({
      revision: told,
      position: anySpot,
      dimension: told.nullable(),
      health: amount,
      food: amount,
      level: amount,
      game_mode: gameMode.nullable(),
      spawn: anySpot,
      inventory: z.array(stackSchema),
      ender_chest: z.array(stackSchema),
    })
    .nullable(),
  /** Newest first. */
  sessions: z.array(sessionSchema),
})
export type PlayerDetails = z.infer<typeof playerDetailsSchema>
export type PlayerData = NonNullable<PlayerDetails['data']>

export const playerHistorySpans = ['day', 'month'] as const
export type PlayerHistorySpan = (typeof playerHistorySpans)[number]
export const playerHistoryQuery = z.object({
  span: z.enum(playerHistorySpans).default('day'),
  /** Whose midnight days begin at. */
  time_zone: z.string().max(60).refine(isTimeZone, 'no_time_zone').default('UTC'),
})
export const playerHistorySchema = z.object({
  /** Oldest first: each hour of the last day, or each day of the last thirty. */
  points: z.array(z.object({ at: timeSchema, joins: z.int(), players: z.int() })),
  sessions: z.array(sessionSchema),
})

export const serverPlayerParams = z.object({ id: idSchema, player_id: javaIdSchema })
