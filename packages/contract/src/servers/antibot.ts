/** How bots are kept from a server: by the players' door, which lets newcomers prove that they are people. */
import { z } from 'zod'
import { timeSchema } from '../primitives.ts'

/** `automatic`: newcomers are looked at while bots attack, and not otherwise. */
export const antibotModes = ['on', 'off', 'automatic'] as const
export type AntibotMode = (typeof antibotModes)[number]

/** Why somebody was not led on. */
export const antibotReasons = [
  'asked_to_rejoin', // a first join
  'too_soon', // again, sooner than a person could
  'room_failed', // left the waiting room, or did not answer there
  'flood', // newcomers from one address or network
  'server_busy', // more newcomers at a time than a server takes
  'no_login', // a connection that never said who it is
] as const
export type AntibotReason = (typeof antibotReasons)[number]

export const antibotLimits = {
  /** Servers and minutes in one report of a gateway. */
  reported: 500,
  /** Minutes that are told, and kept. */
  minutes: 1440,
  attacksTold: 10,
} as const

const count = z.int().min(0)
const turnedAway = z.partialRecord(z.enum(antibotReasons), count)

export const changeAntibotBody = z.strictObject({ mode: z.enum(antibotModes) })

const attackSchema = z.object({
  since: timeSchema,
  /** Null: it goes on. */
  until: timeSchema.nullable(),
  turned_away: count,
})
export type AntibotAttack = z.infer<typeof attackSchema>

export const antibotSchema = z.object({
  mode: z.enum(antibotModes),
  /** The latest first; only the first one may go on. */
  attacks: z.array(attackSchema),
  /** Minutes of the last day in which somebody came, oldest first. */
  points: z.array(z.object({ at: timeSchema, joins: count, verified: count, turned_away: count })),
  /** Of the last day. */
  reasons: turnedAway,
  /** Minutes in which somebody was turned away, the latest first. */
  latest: z.array(z.object({ at: timeSchema, reasons: turnedAway })),
})
export type Antibot = z.infer<typeof antibotSchema>

/** What a gateway has counted in a minute so far; a later report of the same minute takes its place. */
export const antibotMinuteSchema = z.object({
  serverId: z.uuid(),
  /** When the minute began. */
  at: timeSchema,
  /** Players led on, those who were verified among them, and those who were not led on. */
  joins: count,
  verified: count,
  turnedAway,
})
export type AntibotMinute = z.infer<typeof antibotMinuteSchema>

export const antibotReportBody = z.object({
  /** Of one run of one gateway. */
  gatewayId: z.uuid(),
  minutes: z.array(antibotMinuteSchema).max(antibotLimits.reported),
  /** Servers that bots attack, as this gateway sees it; and those that they do not any more. */
  attacked: z.array(z.object({ serverId: z.uuid(), since: timeSchema })).max(antibotLimits.reported),
  over: z.array(z.uuid()).max(antibotLimits.reported),
})
export type AntibotReport = z.infer<typeof antibotReportBody>
