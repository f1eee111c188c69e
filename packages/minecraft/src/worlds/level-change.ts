/** Changes of a world's `level.dat` and of the files beside it, of every version of Java Edition, while the game is down. */
import { findNbt, type NbtCompound, type NbtTag } from '../nbt.ts'
import { clockOf, type Difficulty, difficulties, type LevelParts } from './level.ts'
import { numberAt } from './nbt-values.ts'

export type LevelChange = {
  difficulty?: Difficulty
  hardcore?: boolean
  /** Whole blocks. */
  spawn?: { x: number; y: number; z: number }
  /** `size` is the length of a side, in blocks. */
  border?: { x: number; z: number; size: number }
  /** Ticks since the first day began. */
  time?: number
  /** By the names that `readLevel` tells; only such as the world has. */
  rules?: Record<string, string>
  /** Has the dragon of the End come anew: where it has been killed is noted apart from the End's chunks. */
  forgetsDragon?: boolean
}

/** What cannot be changed, because this world does not say it. */
export class NotInWorld extends Error {
  readonly what: string
  constructor(what: string) {
    super(`the world does not say: ${what}`)
    this.what = what
  }
}

export type ChangedLevel = { level: NbtTag | undefined; parts: LevelParts }

/**
 * @param level root of `level.dat`, which stays as it is
 * @returns the trees that differ afterwards
 * @throws NotInWorld
 */
export function changeLevel(level: NbtTag, parts: LevelParts, change: LevelChange): ChangedLevel {
  const tree = structuredClone(level)
  const data = findNbt(tree, 'Data')
  if (data?.type !== 'compound') throw new NotInWorld('level')
  const changed: ChangedLevel = { level: undefined, parts: {} }
  /** A part that is to be changed. */
  const open = (name: keyof LevelParts): NbtTag => (changed.parts[name] ??= structuredClone(parts[name]!))
  const touch = () => void (changed.level = tree)

  if (change.difficulty !== undefined) {
    const own = findNbt(data, 'difficulty_settings')
    if (own?.type === 'compound') own.value.set('difficulty', { type: 'string', value: change.difficulty })
    else data.value.set('Difficulty', { type: 'byte', value: difficulties.indexOf(change.difficulty) })
    touch()
  }
  if (change.hardcore !== undefined) {
    const own = findNbt(data, 'difficulty_settings')
    const holder = own?.type === 'compound' && !data.value.has('hardcore') ? own : data
    holder.value.set('hardcore', { type: 'byte', value: Number(change.hardcore) })
    touch()
  }
  if (change.spawn !== undefined) {
    setSpawn(data, change.spawn)
    touch()
  }
  if (change.border !== undefined) {
    if (parts.border !== undefined) setOwnBorder(open('border'), change.border)
    else if (data.value.has('BorderSize')) {
      setNumbers(data, {
        BorderCenterX: change.border.x,
        BorderCenterZ: change.border.z,
        BorderSize: change.border.size,
        BorderSizeLerpTarget: change.border.size,
      })
      data.value.set('BorderSizeLerpTime', { type: 'long', value: 0n })
      touch()
    } else throw new NotInWorld('border')
  }
  if (change.time !== undefined) {
    const at = clockOf(parts.clocks)
    if (numberAt(parts.clocks, ...at) !== undefined) {
      const holder = findNbt(open('clocks'), ...at.slice(0, -1)) as NbtCompound
      holder.value.set('total_ticks', { type: 'long', value: BigInt(change.time) })
    } else if (numberAt(data, 'DayTime') !== undefined) {
      data.value.set('DayTime', { type: 'long', value: BigInt(change.time) })
      touch()
    } else throw new NotInWorld('time')
  }
  if (change.rules !== undefined && Object.keys(change.rules).length > 0) {
    const root = parts.gameRules === undefined ? undefined : open('gameRules')
    const rules =
      root === undefined ? (findNbt(data, 'GameRules') ?? findNbt(data, 'game_rules')) : (findNbt(root, 'data') ?? root)
    if (rules?.type !== 'compound') throw new NotInWorld('rules')
    for (const [name, text] of Object.entries(change.rules)) setRule(rules, name, text)
    if (root === undefined) touch()
  }
  if (change.forgetsDragon === true && forgetDragon(data)) touch()
  return changed
}

function setSpawn(data: NbtCompound, { x, y, z }: NonNullable<LevelChange['spawn']>): void {
  const own = findNbt(data, 'spawn')
  if (own?.type === 'compound' && own.value.has('pos'))
    own.value.set('pos', { type: 'intArray', value: new Int32Array([x, y, z]) })
  else if (data.value.has('SpawnX'))
    for (const [name, value] of Object.entries({ SpawnX: x, SpawnY: y, SpawnZ: z }))
      data.value.set(name, { type: 'int', value })
  else throw new NotInWorld('spawn')
}

function setOwnBorder(part: NbtTag, { x, z, size }: NonNullable<LevelChange['border']>): void {
  const own = findNbt(part, 'data') ?? part
  if (own.type !== 'compound') throw new NotInWorld('border')
  setNumbers(own, { center_x: x, center_z: z, size, lerp_target: size })
  own.value.set('lerp_time', { type: 'long', value: 0n })
}

function setNumbers(holder: NbtCompound, values: Record<string, number>): void {
  for (const [name, value] of Object.entries(values)) holder.value.set(name, { type: 'double', value })
}

/** A rule keeps its kind: a text until 1.21.10, a number after that, whose name says the namespace. */
function setRule(rules: NbtCompound, name: string, text: string): void {
  const key = [name, `minecraft:${name}`].find((one) => rules.value.has(one))
  const known = key === undefined ? undefined : rules.value.get(key)
  if (key === undefined || known === undefined) throw new NotInWorld(`rules.${name}`)
  const isFlag = known.type === 'byte' || (known.type === 'string' && /^(true|false)$/.test(known.value))
  if (isFlag ? !/^(true|false)$/.test(text) : !/^-?\d{1,9}$/.test(text)) throw new NotInWorld(`rules.${name}`)
  if (known.type === 'string') rules.value.set(key, { type: 'string', value: text })
  else if (known.type === 'byte') rules.value.set(key, { type: 'byte', value: Number(text === 'true') })
  else if (known.type === 'int') rules.value.set(key, { type: 'int', value: Number(text) })
  else throw new NotInWorld(`rules.${name}`)
}

/** Noted in one of two places, by the version. @returns whether it was */
function forgetDragon(data: NbtCompound): boolean {
  const end = findNbt(data, 'DimensionData', '1')
  const isNew = data.value.delete('DragonFight')
  const isOld = end?.type === 'compound' && end.value.delete('DragonFight')
  return isNew || isOld
}
