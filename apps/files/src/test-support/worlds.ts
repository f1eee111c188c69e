/** Worlds of all layouts, laid into a volume. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compoundOf, listOf, type NbtTag, writeNbt } from '@wakestone/minecraft/nbt'
import { writeNbtFile } from '@wakestone/minecraft/nbt-file'

const int = (value: number): NbtTag => ({ type: 'int', value })
const byte = (value: number): NbtTag => ({ type: 'byte', value })
const long = (value: bigint): NbtTag => ({ type: 'long', value })
const double = (value: number): NbtTag => ({ type: 'double', value })
const string = (value: string): NbtTag => ({ type: 'string', value })

const file = (tag: NbtTag) => writeNbtFile({ name: '', tag, edition: 'java', compression: 'gzip', version: null })

export const region = (version: string, name: string) =>
  readFileSync(join(import.meta.dirname, '../../../../tests/fixtures/regions', version, name))

/** `level.dat` as of 1.21.4. */
export const oldLevel = ({ seed = 42n, dataVersion = 4189, version = '1.21.4' } = {}) =>
  file(
    compoundOf({
      Data: compoundOf({
        LevelName: string('world'),
        DataVersion: int(dataVersion),
        Version: compoundOf({ Id: int(dataVersion), Name: string(version) }),
        WorldGenSettings: compoundOf({ seed: long(seed) }),
        SpawnX: int(1),
        SpawnY: int(64),
        SpawnZ: int(2),
        Difficulty: byte(2),
        hardcore: byte(0),
        GameType: int(0),
        LastPlayed: long(1_700_000_000_000n),
        Time: long(24_000n),
        DayTime: long(6_000n),
        BorderCenterX: double(0),
        BorderCenterZ: double(0),
        BorderSize: double(1000),
        GameRules: compoundOf({ keepInventory: string('false'), randomTickSpeed: string('3') }),
        DragonFight: compoundOf({ DragonKilled: byte(1) }),
      }),
    }),
  )

/** A world of 26.1 as files below its folder. */
export const newWorld = (): Record<string, Buffer> => {
  const part = (data: Record<string, NbtTag>) => file(compoundOf({ DataVersion: int(4786), data: compoundOf(data) }))
  const own = 'dimensions/minecraft/overworld'
  return {
    'level.dat': file(
      compoundOf({
        Data: compoundOf({
          LevelName: string('neu'),
          DataVersion: int(4786),
          Version: compoundOf({ Id: int(4786), Name: string('26.1') }),
          spawn: compoundOf({ pos: { type: 'intArray', value: new Int32Array([8, 70, 9]) } }),
          difficulty_settings: compoundOf({ difficulty: string('easy'), hardcore: byte(0) }),
        }),
      }),
    ),
    'data/minecraft/game_rules.dat': part({ 'minecraft:keep_inventory': byte(0), 'minecraft:max_snow': int(1) }),
    'data/minecraft/world_gen_settings.dat': part({ seed: long(-7n) }),
    'data/minecraft/world_clocks.dat': part({ 'minecraft:overworld': compoundOf({ total_ticks: long(30n) }) }),
    [`${own}/data/minecraft/world_border.dat`]: part({ center_x: double(1), center_z: double(2), size: double(500) }),
    [`${own}/region/r.0.0.mca`]: region('1.21.1', 'r.0.0.mca'),
    'dimensions/minecraft/the_nether/region/r.0.-1.mca': region('1.16', 'r.0.-1.mca'),
    'dimensions/pack/sky/region/r.0.0.mca': region('1.18.2', 'r.0.0.mca'),
  }
}

/** `level.dat` of Bedrock Edition. */
export function bedrockLevel(): Buffer {
  const tree = writeNbt(
    compoundOf({
      LevelName: string('Łąka'),
      RandomSeed: long(-123n),
      Difficulty: int(1),
      GameType: int(1),
      LastPlayed: long(1_700_000_000n),
      SpawnX: int(3),
      SpawnY: int(32767),
      SpawnZ: int(4),
      lastOpenedWithVersion: listOf([1, 21, 50, 7, 0].map(int)),
    }),
    { edition: 'bedrock' },
  )
  const head = Buffer.alloc(8)
  head.writeInt32LE(10)
  head.writeInt32LE(tree.length, 4)
  return Buffer.concat([head, tree])
}

/** Files below a folder. */
export const below = (folder: string, files: Record<string, Buffer | string>) =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]))
