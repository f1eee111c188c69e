/** What `level.dat` of Bedrock Edition tells: little-endian, behind a head of eight bytes. */
import type { NbtTag } from '../nbt.ts'
import { difficulties, gameModes, type LevelInfo } from './level.ts'
import { flagAt, numberAt, numbersAt, textAt, wholeAt } from './nbt-values.ts'

const NAME_LENGTH = 100
const versionParts = 5

/** @param root of `level.dat`. @returns undefined where it is none */
export function readBedrockLevel(root: NbtTag): LevelInfo | undefined {
  if (root.type !== 'compound') return undefined
  const version = numbersAt(root, versionParts, 'lastOpenedWithVersion')
  const [x, y, z] = ['SpawnX', 'SpawnY', 'SpawnZ'].map((name) => numberAt(root, name))
  const played = numberAt(root, 'LastPlayed')
  return {
    name: textAt(root, NAME_LENGTH, 'LevelName') ?? '',
    dataVersion: null,
    version: version === undefined ? null : version.slice(0, 3).join('.'),
    seed: wholeAt(root, 'RandomSeed') ?? null,
    // A height of 32 767: where the ground is, which it finds out by itself.
    spawn: x === undefined || y === undefined || z === undefined ? null : { x, y, z },
    difficulty: difficulties[numberAt(root, 'Difficulty') ?? -1] ?? null,
    hardcore: flagAt(root, 'IsHardcore') ?? false,
    gameMode: gameModes[numberAt(root, 'GameType') ?? -1] ?? null,
    rules: {},
    border: null,
    // In seconds here.
    lastPlayed: played !== undefined && played > 0 && played < 8.64e12 ? Math.trunc(played * 1000) : null,
    age: numberAt(root, 'currentTick') ?? null,
    time: numberAt(root, 'Time') ?? null,
    raining: (numberAt(root, 'rainLevel') ?? 0) > 0,
    thundering: (numberAt(root, 'lightningLevel') ?? 0) > 0,
  }
}
