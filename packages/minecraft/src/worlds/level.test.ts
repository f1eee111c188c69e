import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compoundOf, listOf, type NbtTag, readNbt, writeNbt } from '../nbt.ts'
import { readLevel, versionOfData } from './level.ts'

const int = (value: number): NbtTag => ({ type: 'int', value })
const byte = (value: number): NbtTag => ({ type: 'byte', value })
const long = (value: bigint): NbtTag => ({ type: 'long', value })
const double = (value: number): NbtTag => ({ type: 'double', value })
const string = (value: string): NbtTag => ({ type: 'string', value })

const common = {
  LevelName: string('Kraina'),
  GameType: int(1),
  LastPlayed: long(1_700_000_000_000n),
  Time: long(24_000n),
  BorderSize: double(5000),
  BorderCenterX: double(10.5),
  BorderCenterZ: double(-3),
}

test('a world of 1.8 tells its seed and spawn, and no version', () => {
  const level = readLevel(
    compoundOf({
      Data: compoundOf({
        ...common,
        RandomSeed: long(-9_007_199_254_740_993n),
        SpawnX: int(1),
        SpawnY: int(64),
        SpawnZ: int(-7),
        Difficulty: byte(3),
        hardcore: byte(1),
        raining: byte(1),
        GameRules: compoundOf({ keepInventory: string('true'), randomTickSpeed: string('3') }),
      }),
    }),
  )
  expect(level).toEqual({
    name: 'Kraina',
    dataVersion: null,
    version: null,
    seed: '-9007199254740993',
    spawn: { x: 1, y: 64, z: -7 },
    difficulty: 'hard',
    hardcore: true,
    gameMode: 'creative',
    rules: { keepInventory: 'true', randomTickSpeed: '3' },
    border: { x: 10.5, z: -3, size: 5000 },
    lastPlayed: 1_700_000_000_000,
    age: 24_000,
    time: null,
    raining: true,
    thundering: false,
  })
})

test('one of 1.21 has its seed with its generator and names its version', () => {
  const data = compoundOf({
    ...common,
    DataVersion: int(4189),
    Version: compoundOf({ Id: int(4189), Name: string('1.21.4'), Snapshot: byte(0) }),
    WorldGenSettings: compoundOf({ seed: long(42n) }),
    Difficulty: byte(2),
  })
  expect(readLevel(compoundOf({ Data: data }))).toMatchObject({
    dataVersion: 4189,
    version: '1.21.4',
    seed: '42',
    difficulty: 'normal',
    spawn: null,
  })
})

test('since 26.1 rules, weather and seed stand in files of their own', () => {
  const data = compoundOf({
    ...common,
    DataVersion: int(4800),
    spawn: compoundOf({ pos: { type: 'intArray', value: new Int32Array([8, 70, 9]) } }),
    difficulty_settings: compoundOf({ difficulty: string('easy'), hardcore: byte(0) }),
  })
  const parts = {
    gameRules: compoundOf({ data: compoundOf({ 'minecraft:keep_inventory': byte(1), 'minecraft:max_snow': int(2) }) }),
    worldGenSettings: compoundOf({ data: compoundOf({ seed: long(7n) }) }),
    weather: compoundOf({ data: compoundOf({ raining: byte(0), thundering: byte(1) }) }),
  }
  expect(readLevel(compoundOf({ Data: data }), parts)).toMatchObject({
    seed: '7',
    spawn: { x: 8, y: 70, z: 9 },
    difficulty: 'easy',
    rules: { keep_inventory: 'true', max_snow: '2' },
    thundering: true,
  })
})

test('what is no level is none, and what has other types than it should is missing', () => {
  expect(readLevel(compoundOf({ other: int(1) }))).toBeUndefined()
  expect(readLevel(compoundOf({ Data: int(1) }))).toBeUndefined()
  const names = [
    'LevelName',
    'DataVersion',
    'Version',
    'GameRules',
    'SpawnX',
    'spawn',
    'BorderSize',
    'GameType',
    'LastPlayed',
  ]
  const tag = fc.oneof(
    fc.constant(listOf([int(1)])),
    fc.constant(compoundOf({ Name: listOf([]), Id: string('x'), pos: listOf([string('a')]) })),
    fc.string().map(string),
    fc.integer().map(int),
    fc.double().map(double),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(long),
  )
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), tag), (entries) => {
      const root = readNbt(writeNbt(compoundOf({ Data: compoundOf(entries) }))).tag
      const level = readLevel(root)!
      expect(level.name.length).toBeLessThanOrEqual(100)
      expect(Object.values(level.rules).every((value) => value.length <= 60)).toBe(true)
      expect(() => JSON.stringify(level)).not.toThrow()
    }),
  )
})

test('data versions belong to versions of the game', () => {
  expect([100, 169, 1343, 2586, 2860, 3953, 4189, 9999].map(versionOfData)).toEqual([
    null,
    '1.9',
    '1.12',
    '1.16',
    '1.18',
    '1.21',
    '1.21',
    '1.21',
  ])
})
