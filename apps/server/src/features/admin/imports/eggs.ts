/** What runs the servers of panels, by the names of their eggs, and in which version. */
import type { EngineId } from '@wakestone/contract/servers/engine-ids'
import { isRecord } from './options.ts'

/** The first that fits. Null: we have no such engine, and this is why. */
const eggs: readonly (readonly [RegExp, EngineId | null, string?])[] = [
  [/purpur/, 'purpur'],
  [/folia/, 'folia'],
  [/velocity/, 'velocity'],
  [/waterfall|bungee|travertine/, null, 'BungeeCord and its kin are not among our engines; Velocity does what they do'],
  [/sponge/, null, 'Sponge is not among our engines'],
  [/powernukkit/, 'powernukkitx'],
  [/nukkit/, 'nukkit'],
  [/pocket\s*mine|pmmp/, 'pocketmine'],
  [/bedrock/, 'bedrock-dedicated'],
  [/neo\s*forge/, 'neoforge'],
  [/forge/, 'forge'],
  [/fabric/, 'fabric'],
  [/quilt/, 'quilt'],
  [/paper/, 'paper'],
  [/spigot|bukkit/, 'spigot'],
  [/vanilla/, 'vanilla'],
]

/** By name of an egg: `engine`, `engine@version`, or null for one that is to be left out. */
export type EggMap = Readonly<Record<string, string | null>>

export type EggChoice = { engine: EngineId; version: string | undefined } | { reason: string }

/** @param own what the operator says of eggs of their own, which goes first */
export function chooseEngine(egg: string, own: EggMap, isEngine: (id: string) => id is EngineId): EggChoice {
  if (Object.hasOwn(own, egg)) {
    const [engine = '', version] = (own[egg] ?? '').split('@')
    if (engine === '') return { reason: `the file of --eggs leaves servers of the egg ${egg} out` }
    return isEngine(engine) ? { engine, version } : { reason: `the file of --eggs names ${engine}, which is no engine` }
  }
  const found = eggs.find(([pattern]) => pattern.test(egg.toLowerCase()))
  if (egg === '') return { reason: 'its egg is not in the dump' }
  if (found === undefined) return { reason: `the egg ${egg} is not known; name its engine with --eggs` }
  const [, engine, why] = found
  return engine === null ? { reason: `${why} (egg ${egg})` } : { engine, version: undefined }
}

/** Variables in which eggs keep the version of the game or the proxy, most telling first. */
const versionVariables = [
  'MINECRAFT_VERSION',
  'MC_VERSION',
  'VANILLA_VERSION',
  'VELOCITY_VERSION',
  'BEDROCK_VERSION',
  'PURPUR_VERSION',
  'DL_VERSION',
  'SERVER_VERSION',
  'VERSION',
]

/** Undefined: the newest, whichever that was when it was installed. */
export function versionOf(variables: Readonly<Record<string, string>>): string | undefined {
  const value = versionVariables
    .map((name) => variables[name]?.trim())
    .find((text) => text !== undefined && text !== '')
  return value === undefined || /^(latest|recommended|snapshot|newest)$/i.test(value) ? undefined : value
}

/** Among those that are offered, newest first: that one, or the newest of what begins with it. */
export function offeredVersion(versions: readonly { id: string }[], wanted: string): string | undefined {
  const exact = versions.find(({ id }) => id === wanted)
  return (exact ?? versions.find(({ id }) => id.startsWith(`${wanted}-`) || id.startsWith(`${wanted}+`)))?.id
}

/** @throws Error for what is no such map */
export function readEggMap(text: string): EggMap {
  const map: unknown = JSON.parse(text)
  const isMap = isRecord(map) && Object.values(map).every((value) => value === null || typeof value === 'string')
  if (!isMap) throw new Error('it takes one object: names of eggs, and for each "engine", "engine@version" or null')
  return map as EggMap
}
