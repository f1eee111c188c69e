/** What settings of well-known files do, in our words: by file, by key. */
import {
  findPropertyFault,
  isKnownProperty,
  isRefusedProperty,
  kindOfProperty,
  knownPropertiesOf,
} from '@wakestone/contract/servers/properties'
import type { Game } from '@wakestone/contract/servers/server'
import type { Translate } from '#app/i18n/create-i18n.ts'
import { nameOf } from '../paths.ts'
import { yamlPathAt } from './yaml-path.ts'

export type Hint = {
  key: string
  title: string
  text: string
  /** What is wrong with its value. */
  fault?: string
  /** The text as a whole is none of its kind. */
  isBroken?: true
}
/** A key that can be written, with the values that it may have. */
export type Suggestion = { key: string; title: string; values: readonly string[] }

export const yamlKeys = {
  'paper-world-defaults.yml': {
    'anticheat.anti-xray.enabled': 'antiXray',
    'anticheat.anti-xray.engine-mode': 'antiXrayMode',
    'chunks.auto-save-interval': 'autoSave',
    'chunks.delay-chunk-unloads-by': 'unloadDelay',
    'chunks.max-auto-save-chunks-per-tick': 'autoSaveChunks',
    'chunks.prevent-moving-into-unloaded-chunks': 'unloadedChunks',
    'collisions.max-entity-collisions': 'collisions',
    'entities.behavior.disable-creeper-lingering-effect': 'creeperEffect',
    'entities.spawning.despawn-ranges.monster.hard': 'despawn',
    'entities.spawning.despawn-ranges.monster.soft': 'despawn',
    'entities.spawning.per-player-mob-spawns': 'perPlayer',
    'environment.optimize-explosions': 'explosions',
    'environment.treasure-maps.enabled': 'treasureMaps',
    'hopper.disable-move-event': 'hopper',
    'misc.redstone-implementation': 'redstone',
  },
  'bukkit.yml': {
    'settings.allow-end': 'allowEnd',
    'settings.warn-on-overload': 'warnOnOverload',
    'settings.connection-throttle': 'connectionThrottle',
    'settings.shutdown-message': 'shutdownMessage',
    'settings.query-plugins': 'queryPlugins',
    'spawn-limits.monsters': 'spawnMonsters',
    'spawn-limits.animals': 'spawnAnimals',
    'spawn-limits.water-animals': 'spawnWater',
    'spawn-limits.ambient': 'spawnAmbient',
    'ticks-per.monster-spawns': 'ticksMonsters',
    'ticks-per.animal-spawns': 'ticksAnimals',
    'ticks-per.autosave': 'autosave',
    'chunk-gc.period-in-ticks': 'chunkGc',
  },
  'spigot.yml': {
    'settings.bungeecord': 'bungeecord',
    'settings.restart-on-crash': 'restartOnCrash',
    'settings.timeout-time': 'timeoutTime',
    'settings.save-user-cache-on-stop-only': 'userCache',
    'settings.sample-count': 'sampleCount',
    'settings.player-shuffle': 'playerShuffle',
    'messages.whitelist': 'messageWhitelist',
    'messages.server-full': 'messageFull',
    'world-settings.default.view-distance': 'viewDistance',
    'world-settings.default.simulation-distance': 'simulationDistance',
    'world-settings.default.mob-spawn-range': 'mobSpawnRange',
    'world-settings.default.entity-activation-range.monsters': 'activationRange',
    'world-settings.default.entity-activation-range.animals': 'activationRange',
    'world-settings.default.entity-tracking-range.players': 'trackingRange',
    'world-settings.default.merge-radius.item': 'mergeRadius',
    'world-settings.default.item-despawn-rate': 'itemDespawn',
  },
  'paper-global.yml': {
    'proxies.velocity.enabled': 'velocity',
    'proxies.velocity.secret': 'velocitySecret',
    'proxies.proxy-protocol': 'proxyProtocol',
    'chunk-loading-basic.player-max-chunk-load-rate': 'chunkLoadRate',
    'chunk-loading-basic.player-max-chunk-send-rate': 'chunkSendRate',
    'misc.max-joins-per-tick': 'maxJoins',
    'misc.use-alternative-luck-formula': 'luckFormula',
    'packet-limiter.kick-message': 'packetLimiter',
    'packet-limiter.all-packets.max-packet-rate': 'packetLimiter',
    'spark.enabled': 'spark',
    'unsupported-settings.allow-piston-duplication': 'pistonDuplication',
    'unsupported-settings.allow-headless-pistons': 'headlessPistons',
    'watchdog.early-warning-delay': 'watchdog',
  },
} as const
type YamlFile = keyof typeof yamlKeys
const isYamlFile = (name: string): name is YamlFile => Object.hasOwn(yamlKeys, name)

const propertyLine = /^\s*([^#!\s=:][^\s=:]*)\s*[=:]\s?(.*)$/

export type HintedFile = { path: string; game: Game }

/** What the line is about (from 0); undefined where nothing is known of it. */
export function hintAt(
  t: Translate,
  { path, game }: HintedFile,
  lineAt: (index: number) => string,
  index: number,
): Hint | undefined {
  const file = nameOf(path)
  if (file === 'server.properties') {
    const [, key, value = ''] = propertyLine.exec(lineAt(index)) ?? []
    return key === undefined ? undefined : propertyHint(t, game, key, value)
  }
  if (isPlainFile(file)) return plainHint(t, file, lineAt(index))
  if (!isYamlFile(file)) return undefined
  const key = yamlPathAt(lineAt, index)
  const known: Readonly<Record<string, string>> = yamlKeys[file]
  const name = key === undefined || !Object.hasOwn(known, key) ? undefined : known[key]
  if (key === undefined || name === undefined) return undefined
  return { key, title: key, text: t(`files.hint.${hintGroups[file]}.${name}` as 'files.hint.bukkit.allowEnd') }
}

/** Of files that say each thing once: keys by themselves, whatever they lie in. */
export const plainKeys = {
  'velocity.toml': [
    'bind',
    'motd',
    'show-max-players',
    'online-mode',
    'force-key-authentication',
    'player-info-forwarding-mode',
    'forwarding-secret-file',
    'announce-forge',
    'kick-existing-players',
    'ping-passthrough',
    'compression-threshold',
    'login-ratelimit',
    'connection-timeout',
    'haproxy-protocol',
  ],
  'ops.json': ['uuid', 'name', 'level', 'bypassesPlayerLimit'],
  'whitelist.json': ['uuid', 'name'],
  'banned-players.json': ['uuid', 'name', 'created', 'source', 'expires', 'reason'],
  'banned-ips.json': ['ip', 'created', 'source', 'expires', 'reason'],
  'pack.mcmeta': ['pack_format', 'description', 'supported_formats', 'min_format', 'max_format'],
  'fabric_loader_dependencies.json': ['version', 'overrides'],
  'forge-server.toml': [
    'removeErroringBlockEntities',
    'removeErroringEntities',
    'fullBoundingBoxLadders',
    'zombieBaseSummonChance',
  ],
} as const satisfies Record<string, readonly string[]>
type PlainFile = keyof typeof plainKeys
const isPlainFile = (name: string): name is PlainFile => Object.hasOwn(plainKeys, name)
const listFiles: readonly string[] = ['ops.json', 'whitelist.json', 'banned-players.json', 'banned-ips.json']
const plainLine = /^\s*(?:"([\w.-]+)"|([\w.-]+))\s*[:=]\s*(.*?),?\s*$/

/** Of which group of texts the keys of a file are. */
export const plainGroup = (file: PlainFile) =>
  file === 'velocity.toml'
    ? 'velocity'
    : file === 'pack.mcmeta'
      ? 'pack'
      : listFiles.includes(file)
        ? 'list'
        : file === 'forge-server.toml'
          ? 'forge'
          : 'fabric'

/** What such values have to be, where that can be told by a look. */
const plainValues: Readonly<Record<string, { pattern: RegExp; wanted: string }>> = {
  level: { pattern: /^[1-4]$/, wanted: '1–4' },
  bypassesPlayerLimit: { pattern: /^(true|false)$/, wanted: 'true, false' },
  uuid: { pattern: /^"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"$/i, wanted: 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx' },
  expires: {
    pattern: /^"(forever|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4})"$/,
    wanted: 'forever, yyyy-MM-dd HH:mm:ss Z',
  },
  pack_format: { pattern: /^\d{1,3}(\.\d{1,3})?$/, wanted: '1, 2, 3 …' },
  'online-mode': { pattern: /^(true|false)$/, wanted: 'true, false' },
  'player-info-forwarding-mode': {
    pattern: /^"(none|legacy|bungeeguard|modern)"$/i,
    wanted: 'none, legacy, bungeeguard, modern',
  },
}

function plainHint(t: Translate, file: PlainFile, line: string): Hint | undefined {
  const [, quoted, bare, value = ''] = plainLine.exec(line) ?? []
  const key = quoted ?? bare
  const names: readonly string[] = plainKeys[file]
  if (key === undefined || !names.includes(key)) return undefined
  const rule = plainValues[key]
  const isWrong = rule !== undefined && value !== '' && !rule.pattern.test(value)
  return {
    key,
    title: key,
    text: t(`files.hint.${plainGroup(file)}.${key}` as 'files.hint.list.level'),
    ...(isWrong && { fault: rule.wanted }),
  }
}

const hintGroups = {
  'bukkit.yml': 'bukkit',
  'spigot.yml': 'spigot',
  'paper-global.yml': 'paper',
  'paper-world-defaults.yml': 'paperWorld',
} as const

function propertyHint(t: Translate, game: Game, key: string, value: string): Hint | undefined {
  if (isRefusedProperty(key)) return { key, title: key, text: t('files.hint.ours') }
  if (!isKnownProperty(key, game)) return undefined
  const known = kindOfProperty(key, game) ?? { kind: 'text' }
  const range =
    known.kind === 'number'
      ? t('settings.between', { min: known.min, max: known.max })
      : known.kind === 'choice'
        ? known.of.join(', ')
        : known.kind === 'flag'
          ? 'true, false'
          : undefined
  const fault = findPropertyFault(key, value.trim(), game)
  return {
    key,
    title: t(`properties.${key}.name`),
    text: [t(`properties.${key}.text`), range].filter(Boolean).join(' '),
    ...(fault === undefined ? {} : { fault: fault === 'too_long' ? t('settings.tooLong') : (range ?? '') }),
  }
}

/** Keys of a YAML file that are known and can stand in the line (from 0), below those that it lies in. */
export function yamlSuggestions(
  t: Translate,
  path: string,
  lineAt: (index: number) => string,
  index: number,
): readonly Suggestion[] {
  const file = nameOf(path)
  if (!isYamlFile(file)) return []
  const indent = /^\s*/.exec(lineAt(index))![0]
  // As if a key stood there: what it lies in is what matters.
  const inside = yamlPathAt((at) => (at === index ? `${indent}x:` : lineAt(at)), index)
  const above = inside === undefined || !inside.includes('.') ? '' : inside.slice(0, inside.lastIndexOf('.') + 1)
  const names = new Map<string, string | undefined>()
  for (const [key, name] of Object.entries(yamlKeys[file])) {
    if (!key.startsWith(above)) continue
    const [next = '', ...rest] = key.slice(above.length).split('.')
    if (rest.length === 0) names.set(next, t(`files.hint.${hintGroups[file]}.${name}` as 'files.hint.bukkit.allowEnd'))
    else if (!names.has(next)) names.set(next, undefined)
  }
  return [...names].map(([key, title = '']) => ({ key, title, values: [] }))
}

/** Keys of a file that are known, to be suggested while they are typed. */
export function suggestionsFor(t: Translate, { path, game }: HintedFile): readonly Suggestion[] {
  if (nameOf(path) !== 'server.properties') return []
  return knownPropertiesOf(game).map((key) => {
    const known = kindOfProperty(key, game)
    return {
      key,
      title: t(`properties.${key}.name`),
      values: known?.kind === 'choice' ? known.of : known?.kind === 'flag' ? ['true', 'false'] : [],
    }
  })
}
