/** By which version the world of a game was saved last, as it says itself. */
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { readWorldVersion, type WorldVersion } from '@wakestone/minecraft/level-dat'
import { readProperties } from '@wakestone/minecraft/properties'
import { gameVersionOf } from '@wakestone/packager/game-version'
import type { InstallPlan } from '@wakestone/packager/manifest'
import { isWorldNewer, nameWorldVersion } from '@wakestone/packager/world-version'
import { readKnownFile } from './known-files.ts'
import type { VolumePaths } from './volume.ts'

/** Larger ones are not read: a modded one takes some hundred kilobytes. */
const packedBytes = 4 * 1024 * 1024
const unpackedBytes = 16 * 1024 * 1024

/** @returns what tells it: null where there is no world yet, or none that can be read */
export function createWorldReader(paths: VolumePaths): () => WorldVersion | null {
  let seen = ''
  let known: WorldVersion | null = null
  return () => {
    const path = join(paths.volume, worldFolder(paths), 'level.dat')
    const stamp = stampOf(path)
    if (stamp !== seen) {
      known = stamp === '' ? null : readVersion(path)
      seen = stamp
    }
    return known
  }
}

/** @throws Error that says so when the game that is installed would spoil its world */
export function requireGoodWorld({ packages }: InstallPlan, world: WorldVersion | null): void {
  const version = gameVersionOf(packages)
  if (world === null || version === null || !isWorldNewer(world, version)) return
  throw new Error(`the world was saved by Minecraft ${nameWorldVersion(world)}, and ${version} would spoil it`)
}

/** As its owner has named it, if that is a folder of the volume. */
function worldFolder(paths: VolumePaths): string {
  const name = readProperties(readKnownFile(paths, 'server.properties') ?? '').get('level-name') ?? ''
  const folder = normalize(name)
  return name === '' || folder.startsWith('..') || folder.startsWith('/') ? 'world' : folder
}

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? '' : `${path} ${found.ino} ${found.size} ${found.mtimeMs}`
}

function readVersion(path: string): WorldVersion | null {
  let file: number | undefined
  try {
    // A link would lead elsewhere, and a pipe would never be opened.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const found = fstatSync(file)
    if (!found.isFile() || found.size > packedBytes) return null
    const { gunzipSync } = process.getBuiltinModule('node:zlib') // only where there is a world
    return readWorldVersion(gunzipSync(readFileSync(file), { maxOutputLength: unpackedBytes })) ?? null
  } catch {
    return null // damaged, or half written: read again once it is another
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
