/**
 * A player's file of Java Edition (`playerdata/UUID.dat`, since 26.1 `players/data/UUID.dat`): what is shown of it, and
 * the few things that are changed in it, only ever while the game is down.
 * @see https://minecraft.wiki/w/Player.dat_format
 */
import type { NbtCompound, NbtTag, NbtType } from '../nbt.ts'
import { changeItems, type ItemChange, type ItemStack, readEnderChest, readInventory } from './item-stacks.ts'
import { type GameMode, gameModes } from './level.ts'
import { numberAt, numbersAt, textAt, timeAt } from './nbt-values.ts'

export type PlayerData = {
  position: { x: number; y: number; z: number } | null
  /** Such as `minecraft:overworld`. */
  dimension: string | null
  health: number | null
  food: number | null
  level: number | null
  gameMode: GameMode | null
  spawn: { x: number; y: number; z: number } | null
  /** As Bukkit's kin write it down. */
  name: string | null
  /** Milliseconds since 1970, from the same. */
  firstPlayed: number | null
  lastPlayed: number | null
  inventory: ItemStack[]
  enderChest: ItemStack[]
}
export type PlayerChanges = Partial<Pick<PlayerData, 'health' | 'food' | 'level'>> & {
  position?: { x: number; y: number; z: number }
  gameMode?: GameMode
  items?: readonly ItemChange[]
}

const ID_LENGTH = 100
const oldDimensions: Record<number, string> = {
  [-1]: 'minecraft:the_nether',
  0: 'minecraft:overworld',
  1: 'minecraft:the_end',
}
export function readPlayerData(root: NbtTag): PlayerData {
  const old = numberAt(root, 'Dimension')
  const spawn =
    numbersAt(root, 3, 'respawn', 'pos') ?? ['SpawnX', 'SpawnY', 'SpawnZ'].map((name) => numberAt(root, name))
  return {
    position: placeOf(numbersAt(root, 3, 'Pos') ?? []),
    dimension: textAt(root, ID_LENGTH, 'Dimension') ?? (old === undefined ? null : (oldDimensions[old] ?? null)),
    health: numberAt(root, 'Health') ?? numberAt(root, 'HealF') ?? null,
    food: numberAt(root, 'foodLevel') ?? null,
    level: numberAt(root, 'XpLevel') ?? null,
    gameMode: gameModes[numberAt(root, 'playerGameType') ?? -1] ?? null,
    spawn: placeOf(spawn),
    name: textAt(root, 16, 'bukkit', 'lastKnownName') ?? null,
    firstPlayed: timeAt(root, 'bukkit', 'firstPlayed') ?? null,
    lastPlayed: timeAt(root, 'bukkit', 'lastPlayed') ?? timeAt(root, 'Paper', 'LastSeen') ?? null,
    inventory: readInventory(root),
    enderChest: readEnderChest(root),
  }
}

/**
 * The tree with these values, each of the type that stands there; what a version does not have is not added.
 * @throws RangeError when a value is none the game could hold
 */
export function changePlayerData(root: NbtCompound, changes: PlayerChanges): NbtCompound {
  const value = new Map(root.value)
  const set = (name: string, number: number | null | undefined, least: number, most: number) => {
    if (number === undefined || number === null) return
    if (!(number >= least && number <= most)) throw new RangeError(`${name}: ${number}`)
    const there = value.get(name)
    if (there !== undefined && isNumeric(there.type)) value.set(name, numeric(there.type, number))
  }
  set('Health', changes.health, 0, 1024)
  set('foodLevel', changes.food, 0, 20)
  set('XpLevel', changes.level, 0, 1_000_000)
  if (changes.gameMode !== undefined)
    set('playerGameType', gameModes.indexOf(changes.gameMode), 0, gameModes.length - 1)
  if (changes.position !== undefined && value.has('Pos')) {
    const { x, y, z } = changes.position
    if (![x, z].every((part) => Math.abs(part) <= 30_000_000) || !(Math.abs(y) <= 20_000_000))
      throw new RangeError('position: outside of any world')
    value.set('Pos', { type: 'list', of: 'double', value: [x, y, z].map((part) => ({ type: 'double', value: part })) })
    // A fall that was under way would end at the new place.
    if (value.has('FallDistance')) value.set('FallDistance', { type: 'float', value: 0 })
    if (value.has('fall_distance')) value.set('fall_distance', { type: 'double', value: 0 })
  }
  return changeItems({ type: 'compound', value }, changes.items ?? [])
}

type Numeric = 'byte' | 'short' | 'int' | 'float' | 'double'
const isNumeric = (type: NbtType): type is Numeric => ['byte', 'short', 'int', 'float', 'double'].includes(type)
function numeric(type: Numeric, value: number): NbtTag {
  return { type, value: type === 'float' || type === 'double' ? value : Math.trunc(value) }
}

function placeOf([x, y, z]: (number | undefined)[]): PlayerData['position'] {
  return x === undefined || y === undefined || z === undefined ? null : { x, y, z }
}

/**
 * What a file of statistics (`stats/UUID.json`) tells of the time that somebody has played.
 * @returns seconds; null where it does not say
 */
export function readPlayTime(json: string): number | null {
  const ticks = readTicks(json)
  return typeof ticks === 'number' && ticks >= 0 && Number.isFinite(ticks) ? Math.floor(ticks / 20) : null
}

function readTicks(json: string): unknown {
  try {
    const stats = JSON.parse(json) as Record<string, unknown> | null
    const custom = (stats?.['stats'] as Record<string, Record<string, unknown>> | undefined)?.['minecraft:custom']
    // Counted in ticks under both names; the older one only says minutes.
    return custom?.['minecraft:play_time'] ?? custom?.['minecraft:play_one_minute'] ?? stats?.['stat.playOneMinute']
  } catch {
    return undefined
  }
}
