/** Settings of the game in `server.properties`: which ones we know of which edition, and which are ours alone. */
import { z } from 'zod'
import type { Game } from './server.ts'

export type PropertyKind =
  | { kind: 'flag' }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'choice'; of: readonly string[] }
  | { kind: 'text'; max: number }
const flag = { kind: 'flag' } as const
const number = (min: number, max: number) => ({ kind: 'number', min, max }) as const
const text = (max: number) => ({ kind: 'text', max }) as const
const choice = (...of: string[]) => ({ kind: 'choice', of }) as const

/** By what people look for, the most wanted first; names and explanations are texts of the interface. */
const javaProperties = {
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
} as const satisfies Record<string, PropertyKind>

/** Of Bedrock Dedicated Server, as its `bedrock_server_how_to.html` tells them. */
const bedrockProperties = {
  'server-name': text(200),
  'max-players': number(1, 1000),
  gamemode: choice('survival', 'creative', 'adventure'),
  'force-gamemode': flag,
  difficulty: choice('peaceful', 'easy', 'normal', 'hard'),
  'allow-cheats': flag,
  'allow-list': flag,
  'default-player-permission-level': choice('visitor', 'member', 'operator'),
  'online-mode': flag,
  'level-name': text(64),
  'level-seed': text(64),
  'view-distance': number(5, 96),
  'tick-distance': number(4, 12),
  'player-idle-timeout': number(0, 1440),
  'chat-restriction': choice('None', 'Dropped', 'Disabled'),
  'disable-player-interaction': flag,
  'texturepack-required': flag,
  'disable-custom-skins': flag,
  'client-side-chunk-generation-enabled': flag,
  'block-network-ids-are-hashes': flag,
  'content-log-file-enabled': flag,
  'compression-algorithm': choice('zlib', 'snappy'),
  'compression-threshold': number(0, 65_535),
  'max-threads': number(0, 64),
  'emit-server-telemetry': flag,
} as const satisfies Record<string, PropertyKind>

export type KnownProperty = keyof typeof javaProperties | keyof typeof bedrockProperties
const known: Record<Game, Readonly<Partial<Record<string, PropertyKind>>>> = {
  'minecraft-java': javaProperties,
  'minecraft-bedrock': bedrockProperties,
}
/** In the order in which they are shown. */
export const knownPropertiesOf = (game: Game) => Object.keys(known[game]) as KnownProperty[]
/** Undefined for one that this edition does not have, or that we do not know. */
export const kindOfProperty = (key: string, game: Game): PropertyKind | undefined =>
  Object.hasOwn(known[game], key) ? known[game][key] : undefined
export const isKnownProperty = (key: string, game: Game): key is KnownProperty =>
  kindOfProperty(key, game) !== undefined

/** Where the game listens, and who may command it from outside, is not the owner's to set. */
const refused =
  /^(server-port|server-portv6|server-udp-ports|server-ip|query\.port|enable-query|enable-rcon|rcon\..*|broadcast-rcon-to-ops|management-server-.*|use-native-transport|max-tick-time)$/
export const isRefusedProperty = (key: string): boolean => refused.test(key)

/** @returns why a value is none of this key; undefined when it is one. */
export function findPropertyFault(
  key: string,
  value: string,
  game: Game,
): 'flag' | 'number' | 'choice' | 'too_long' | undefined {
  const kind = kindOfProperty(key, game)
  if (kind === undefined) return undefined
  switch (kind.kind) {
    case 'flag':
      return value === 'true' || value === 'false' ? undefined : 'flag'
    case 'number':
      return /^\d{1,9}$/.test(value) && Number(value) >= kind.min && Number(value) <= kind.max ? undefined : 'number'
    case 'choice':
      return kind.of.includes(value) ? undefined : 'choice'
    default:
      return value.length <= kind.max ? undefined : 'too_long'
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
