import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compoundOf, findNbt, type NbtTag, readNbt, writeNbt } from '../nbt.ts'
import { difficulties, type LevelParts, readLevel } from './level.ts'
import { changeLevel, type LevelChange, NotInWorld } from './level-change.ts'

const int = (value: number): NbtTag => ({ type: 'int', value })
const byte = (value: number): NbtTag => ({ type: 'byte', value })
const long = (value: bigint): NbtTag => ({ type: 'long', value })
const double = (value: number): NbtTag => ({ type: 'double', value })
const string = (value: string): NbtTag => ({ type: 'string', value })

const old = compoundOf({
  Data: compoundOf({
    LevelName: string('old'),
    Difficulty: byte(1),
    hardcore: byte(0),
    SpawnX: int(0),
    SpawnY: int(64),
    SpawnZ: int(0),
    DayTime: long(0n),
    BorderCenterX: double(0),
    BorderCenterZ: double(0),
    BorderSize: double(60_000_000),
    GameRules: compoundOf({ keepInventory: string('false'), randomTickSpeed: string('3') }),
    CustomBossEvents: compoundOf({ unknown: { type: 'longArray', value: new BigInt64Array([1n, -5n]) } }),
  }),
})
const parted: { level: NbtTag; parts: LevelParts } = {
  level: compoundOf({
    Data: compoundOf({
      spawn: compoundOf({
        pos: { type: 'intArray', value: new Int32Array([0, 64, 0]) },
        yaw: { type: 'float', value: 90 },
      }),
      difficulty_settings: compoundOf({ difficulty: string('easy'), hardcore: byte(0), locked: byte(1) }),
    }),
  }),
  parts: {
    gameRules: compoundOf({
      data: compoundOf({ 'minecraft:keepInventory': byte(0), 'minecraft:randomTickSpeed': int(3) }),
    }),
    border: compoundOf({
      data: compoundOf({ center_x: double(0), center_z: double(0), size: double(100), damage: double(0.2) }),
    }),
    clocks: compoundOf({ data: compoundOf({ 'minecraft:overworld': compoundOf({ total_ticks: long(0n) }) }) }),
  },
}

const coordinate = fc.integer({ min: -30_000_000, max: 30_000_000 })
const anyChange: fc.Arbitrary<LevelChange> = fc.record(
  {
    difficulty: fc.constantFrom(...difficulties),
    hardcore: fc.boolean(),
    spawn: fc.record({ x: coordinate, y: fc.integer({ min: -64, max: 320 }), z: coordinate }),
    border: fc.record({ x: coordinate, z: coordinate, size: fc.integer({ min: 1, max: 59_999_968 }) }),
    time: fc.integer({ min: 0, max: 2 ** 40 }),
    rules: fc.record(
      {
        keepInventory: fc.boolean().map(String),
        randomTickSpeed: fc.integer({ min: 0, max: 9_999 }).map(String),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

test('what was changed is read back, in both ways to keep it, and everything else stays as it was', () => {
  fc.assert(
    fc.property(
      anyChange,
      fc.constantFrom({ level: old as NbtTag, parts: {} as LevelParts }, parted),
      (change, world) => {
        const before = readLevel(world.level, world.parts)!
        const bytes = writeNbt(world.level)
        const changed = changeLevel(world.level, world.parts, change)
        expect(writeNbt(world.level).equals(bytes)).toBe(true)
        // As it comes back from a disk.
        const through = (tag: NbtTag) => readNbt(writeNbt(tag)).tag
        const parts = {
          ...world.parts,
          ...Object.fromEntries(Object.entries(changed.parts).map(([name, tag]) => [name, through(tag)])),
        }
        const after = readLevel(through(changed.level ?? world.level), parts)!
        expect(after).toEqual({ ...before, ...change, rules: { ...before.rules, ...change.rules } })
      },
    ),
  )
})

test('what a change does not concern keeps its type and its place', () => {
  const { level } = changeLevel(old, {}, { difficulty: 'hard' })
  expect(findNbt(level, 'Data', 'CustomBossEvents')).toEqual(findNbt(old, 'Data', 'CustomBossEvents'))
  const { parts } = changeLevel(parted.level, parted.parts, { border: { x: 1, z: 2, size: 3 } })
  expect(findNbt(parts.border, 'data', 'damage')).toEqual(double(0.2))
  expect(Object.keys(parts)).toEqual(['border'])
})

test('what a world does not say is refused', () => {
  const empty = compoundOf({ Data: compoundOf({}) })
  const refused: [LevelChange, string][] = [
    [{ spawn: { x: 1, y: 2, z: 3 } }, 'spawn'],
    [{ border: { x: 1, z: 2, size: 3 } }, 'border'],
    [{ time: 5 }, 'time'],
    [{ rules: { keepInventory: 'true' } }, 'rules'],
  ]
  for (const [change, what] of refused) expect(() => changeLevel(empty, {}, change)).toThrow(new NotInWorld(what))
  const wrong: LevelChange['rules'][] = [
    { none: 'true' },
    { keepInventory: '1' },
    { randomTickSpeed: 'true' },
    { randomTickSpeed: '1.5' },
  ]
  for (const rules of wrong) expect(() => changeLevel(old, {}, { rules })).toThrow(NotInWorld)
  expect(() => changeLevel(compoundOf({}), {}, {})).toThrow(new NotInWorld('level'))
})

test('a dragon is forgotten wherever it is noted', () => {
  const fight = compoundOf({ DragonKilled: byte(1) })
  const newer = compoundOf({ Data: compoundOf({ DragonFight: fight }) })
  const older = compoundOf({
    Data: compoundOf({ DimensionData: compoundOf({ '1': compoundOf({ DragonFight: fight }) }) }),
  })
  for (const level of [newer, older])
    expect(JSON.stringify([...writeNbt(changeLevel(level, {}, { forgetsDragon: true }).level!)])).not.toContain(
      JSON.stringify([...Buffer.from('DragonFight')]).slice(1, -1),
    )
  expect(changeLevel(old, {}, { forgetsDragon: true }).level).toBeUndefined()
})
