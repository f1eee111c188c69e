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
}
/** A key that can be written, with the values that it may have. */
export type Suggestion = { key: string; title: string; values: readonly string[] }

export const yamlKeys = {
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
  if (!isYamlFile(file)) return undefined
  const key = yamlPathAt(lineAt, index)
  const known: Readonly<Record<string, string>> = yamlKeys[file]
  const name = key === undefined || !Object.hasOwn(known, key) ? undefined : known[key]
  if (key === undefined || name === undefined) return undefined
  return { key, title: key, text: t(`files.hint.${hintGroups[file]}.${name}` as 'files.hint.bukkit.allowEnd') }
}

const hintGroups = { 'bukkit.yml': 'bukkit', 'spigot.yml': 'spigot', 'paper-global.yml': 'paper' } as const

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
