/**
 * What a world's `level.dat` tells, of every version of Java Edition. Since 26.1 rules, weather and the seed stand in
 * files of their own below `data/minecraft/`, whose trees are given beside it.
 * @see https://minecraft.wiki/w/Java_Edition_level_format
 */
import { findNbt, type NbtTag } from '../nbt.ts'
import { flagAt, numberAt, numbersAt, textAt, timeAt, wholeAt } from './nbt-values.ts'

export const difficulties = ['peaceful', 'easy', 'normal', 'hard'] as const
export type Difficulty = (typeof difficulties)[number]
export const gameModes = ['survival', 'creative', 'adventure', 'spectator'] as const
export type GameMode = (typeof gameModes)[number]

export type LevelInfo = {
  name: string
  /** Null before 1.9, which did not write it. */
  dataVersion: number | null
  /** Name of the game's version, such as `1.21.4`; null before 1.9. */
  version: string | null
  /** A whole number of 64 bits. */
  seed: string | null
  spawn: { x: number; y: number; z: number } | null
  difficulty: Difficulty | null
  hardcore: boolean
  gameMode: GameMode | null
  rules: Record<string, string>
  border: { x: number; z: number; size: number } | null
  /** Milliseconds since 1970. */
  lastPlayed: number | null
  /** Ticks since it was made. */
  age: number | null
  /** Ticks since its first day began; a day has 24 000. */
  time: number | null
  raining: boolean
  thundering: boolean
}

/** The files beside `level.dat`, by what they are called here. */
export const levelParts = {
  gameRules: 'game_rules',
  worldGenSettings: 'world_gen_settings',
  weather: 'weather',
  border: 'world_border',
  clocks: 'world_clocks',
} as const
export type LevelPart = keyof typeof levelParts
/** Trees of those files, as far as the world has them. */
export type LevelParts = { [Part in LevelPart]?: NbtTag }

const NAME_LENGTH = 100
const RULE_LENGTH = 60
const MOST_RULES = 200

/** @param level root of `level.dat`. @returns undefined where it is none. */
export function readLevel(level: NbtTag, parts: LevelParts = {}): LevelInfo | undefined {
  const data = findNbt(level, 'Data')
  if (data?.type !== 'compound') return undefined
  const weather = findNbt(parts.weather, 'data') ?? parts.weather ?? data
  return {
    name: textAt(data, NAME_LENGTH, 'LevelName') ?? '',
    dataVersion: numberAt(data, 'DataVersion') ?? numberAt(data, 'Version', 'Id') ?? null,
    version: textAt(data, NAME_LENGTH, 'Version', 'Name') ?? null,
    seed: readSeed(data, parts.worldGenSettings),
    spawn: readSpawn(data),
    difficulty: readDifficulty(data),
    hardcore: flagAt(data, 'hardcore') ?? flagAt(data, 'difficulty_settings', 'hardcore') ?? false,
    gameMode: gameModes[numberAt(data, 'GameType') ?? -1] ?? null,
    rules: readRules(
      findNbt(parts.gameRules, 'data') ?? parts.gameRules ?? findNbt(data, 'GameRules') ?? findNbt(data, 'game_rules'),
    ),
    border: readBorder(data, parts.border),
    lastPlayed: timeAt(data, 'LastPlayed') ?? null,
    age: numberAt(data, 'Time') ?? null,
    time: numberAt(parts.clocks, ...clockOf(parts.clocks)) ?? numberAt(data, 'DayTime') ?? null,
    raining: flagAt(weather, 'raining') ?? false,
    thundering: flagAt(weather, 'thundering') ?? false,
  }
}

function readSeed(data: NbtTag, settings: NbtTag | undefined): string | null {
  const own = findNbt(settings, 'data') ?? settings
  return wholeAt(own, 'seed') ?? wholeAt(data, 'WorldGenSettings', 'seed') ?? wholeAt(data, 'RandomSeed') ?? null
}

function readSpawn(data: NbtTag): LevelInfo['spawn'] {
  const [x, y, z] =
    numbersAt(data, 3, 'spawn', 'pos') ?? ['SpawnX', 'SpawnY', 'SpawnZ'].map((name) => numberAt(data, name))
  return x === undefined || y === undefined || z === undefined ? null : { x, y, z }
}

function readDifficulty(data: NbtTag): Difficulty | null {
  const name = textAt(data, NAME_LENGTH, 'difficulty_settings', 'difficulty')
  return difficulties.find((one) => one === name) ?? difficulties[numberAt(data, 'Difficulty') ?? -1] ?? null
}

/** Texts until 1.21.10, numbers after that, whose names say the namespace. */
function readRules(rules: NbtTag | undefined): Record<string, string> {
  if (rules?.type !== 'compound') return {}
  const found: [string, string][] = []
  for (const [name, tag] of rules.value) {
    const text = tag.type === 'string' ? tag.value : tag.type === 'byte' ? String(tag.value !== 0) : wholeAt(tag)
    if (text === undefined || name.length > RULE_LENGTH || text.length > RULE_LENGTH) continue
    found.push([name.replace(/^minecraft:/, ''), text])
    if (found.length === MOST_RULES) break
  }
  return Object.fromEntries(found)
}

/** Where a file of clocks has the one of the overworld. */
export const clockOf = (clocks: NbtTag | undefined): string[] => [
  ...(findNbt(clocks, 'data') === undefined ? [] : ['data']),
  'minecraft:overworld',
  'total_ticks',
]

function readBorder(data: NbtTag, part: NbtTag | undefined): LevelInfo['border'] {
  const own = findNbt(part, 'data') ?? part
  const ownSize = numberAt(own, 'size')
  if (ownSize !== undefined)
    return { x: numberAt(own, 'center_x') ?? 0, z: numberAt(own, 'center_z') ?? 0, size: ownSize }
  const size = numberAt(data, 'BorderSize')
  if (size === undefined) return null
  return { x: numberAt(data, 'BorderCenterX') ?? 0, z: numberAt(data, 'BorderCenterZ') ?? 0, size }
}

/** Versions of worlds that have a name, the first of each; a world is of the last one that is not newer. */
const firstVersions: readonly (readonly [number, string])[] = [
  [169, '1.9'],
  [510, '1.10'],
  [819, '1.11'],
  [1139, '1.12'],
  [1519, '1.13'],
  [1952, '1.14'],
  [2225, '1.15'],
  [2566, '1.16'],
  [2724, '1.17'],
  [2860, '1.18'],
  [3105, '1.19'],
  [3463, '1.20'],
  [3953, '1.21'],
]

/** The version of the game that a data version belongs to, as near as it is known; null before 1.9. */
export function versionOfData(dataVersion: number): string | null {
  return firstVersions.findLast(([first]) => first <= dataVersion)?.[1] ?? null
}
