/** Settings of the game in `server.properties`: which ones we know, and which are ours alone. */
import { z } from 'zod'

type Kind =
  | { kind: 'flag' }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'choice'; of: readonly string[] }
  | { kind: 'text'; max: number }
const flag = { kind: 'flag' } as const
const number = (min: number, max: number) => ({ kind: 'number', min, max }) as const
const text = (max: number) => ({ kind: 'text', max }) as const
const choice = (...of: string[]) => ({ kind: 'choice', of }) as const

/** By what people look for, the most wanted first; names and explanations are texts of the interface. */
export const knownProperties = {
  motd: text(200),
  'max-players': number(1, 1000),
  gamemode: choice('survival', 'creative', 'adventure', 'spectator'),
  'force-gamemode': flag,
  difficulty: choice('peaceful', 'easy', 'normal', 'hard'),
  hardcore: flag,
  pvp: flag,
  'white-list': flag,
  'enforce-whitelist': flag,
  'online-mode': flag,
  'level-name': text(64),
  'level-seed': text(64),
  'level-type': text(64),
  'generate-structures': flag,
  'spawn-protection': number(0, 512),
  'spawn-monsters': flag,
  'spawn-animals': flag,
  'spawn-npcs': flag,
  'allow-nether': flag,
  'allow-flight': flag,
  'enable-command-block': flag,
  'op-permission-level': number(1, 4),
  'view-distance': number(2, 32),
  'simulation-distance': number(2, 32),
  'player-idle-timeout': number(0, 1440),
  'max-world-size': number(1, 29_999_984),
  'hide-online-players': flag,
  'resource-pack': text(500),
  'resource-pack-sha1': text(40),
  'require-resource-pack': flag,
  'enforce-secure-profile': flag,
} as const satisfies Record<string, Kind>
export type KnownProperty = keyof typeof knownProperties
export const isKnownProperty = (key: string): key is KnownProperty => Object.hasOwn(knownProperties, key)

/** Where the game listens, and who may command it from outside, is not the owner's to set. */
const refused =
  /^(server-port|server-ip|query\.port|enable-query|enable-rcon|rcon\..*|broadcast-rcon-to-ops|management-server-.*|use-native-transport|max-tick-time)$/
export const isRefusedProperty = (key: string): boolean => refused.test(key)

/** @returns why a value is none of this key; undefined when it is one. */
export function findPropertyFault(key: string, value: string): 'flag' | 'number' | 'choice' | 'too_long' | undefined {
  if (!isKnownProperty(key)) return undefined
  const known: Kind = knownProperties[key]
  switch (known.kind) {
    case 'flag':
      return value === 'true' || value === 'false' ? undefined : 'flag'
    case 'number':
      return /^\d{1,9}$/.test(value) && Number(value) >= known.min && Number(value) <= known.max ? undefined : 'number'
    case 'choice':
      return known.of.includes(value) ? undefined : 'choice'
    default:
      return value.length <= known.max ? undefined : 'too_long'
  }
}

const keySchema = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/, 'property')
export const propertiesSchema = z.object({
  /** As the file has them, without those that are ours. */
  properties: z.array(z.object({ key: z.string(), value: z.string() })),
  /** Most players that the plan allows; null: as many as fit. */
  most_players: z.int().nullable(),
  /** What is changed comes with the next start. */
  needs_restart: z.boolean(),
})
export type Properties = z.infer<typeof propertiesSchema>
export const changePropertiesBody = z.object({
  /** null removes a key: the game then takes its own. */
  values: z
    .record(
      keySchema,
      z
        .string()
        .max(1000)
        .regex(/^[^\r\n\0]*$/, 'property')
        .nullable(),
    )
    .refine((values) => Object.keys(values).length <= 200, 'property'),
})
