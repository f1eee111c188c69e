/**
 * The process that reads what a game keeps of its players, and makes the changed content of a player's file. Whoever runs a
 * game can make such files do harm to what reads them.
 */
import { closeSync, fstatSync, readFileSync } from 'node:fs'
import {
  readAddressBans,
  readAllowlist,
  readOperators,
  readPermissions,
  readPlayerBans,
  readWhitelist,
} from '@wakestone/minecraft/worlds/access-lists'
import {
  changePlayerData,
  type PlayerChanges,
  readPlayerData,
  readPlayTime,
} from '@wakestone/minecraft/worlds/player-data'
import { readNbtFile, writeNbtFile } from '@wakestone/minecraft/nbt-file'
import { knownPlayers, listedPlayers } from '@wakestone/protocol/file-values'
import type { Players } from '@wakestone/protocol/files'
import { readNames } from './list.ts'
import { lookAt } from './placing.ts'
import { dataFolders, dataName, readSettings, statsFolders, UUID, worldIn } from './player-paths.ts'
import { openVolume, type Volume } from './volume.ts'

export type PlayersOrder =
  | { kind: 'players'; root: string; edition: 'java' | 'bedrock' }
  /** Descriptor 3 is the player's file. */
  | { kind: 'player' }
  /** `changes` as the control plane has checked them. */
  | { kind: 'change'; changes: object }

const LIST_BYTES = 4 * 1024 * 1024
const STATS_BYTES = 512 * 1024
const NBT_BYTES = 8 * 1024 * 1024
const LIMITS = { depth: 128, tags: 200_000 }
/** Files of statistics, and of players whose name nothing else says, that are read for one list. */
const MOST_STATS = 500
const MOST_NAMED = 200
const EPOCH = 0

/** Ends with 2 for a value that the file cannot hold. */
export async function workOnPlayers(order: PlayersOrder): Promise<void> {
  switch (order.kind) {
    case 'players':
      return tell(await readPlayers(openVolume(order.root), order.edition))
    case 'player':
      return tell(readPlayerData(readFile().tag))
    case 'change': {
      const file = readFile()
      if (file.tag.type !== 'compound') throw new Error('no player')
      try {
        process.stdout.write(writeNbtFile({ ...file, tag: changePlayerData(file.tag, order.changes as PlayerChanges) }))
      } catch (error) {
        if (error instanceof RangeError) process.exit(2)
        throw error
      }
    }
  }
}

const tell = (value: unknown) => void process.stdout.write(JSON.stringify(value))

function readFile(fd = 3) {
  if (fstatSync(fd).size > NBT_BYTES) throw new Error('too large')
  return readNbtFile(readFileSync(fd), { edition: 'java', maxBytes: NBT_BYTES, limits: LIMITS })
}

/** What is missing, too large or no plain file is empty. */
function readText(volume: Volume, path: string, most = LIST_BYTES): string {
  let fd: number | undefined
  try {
    fd = volume.openFile(path).fd
    return fstatSync(fd).size > most ? '' : readFileSync(fd, 'utf8')
  } catch {
    return ''
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

async function readPlayers(volume: Volume, edition: 'java' | 'bedrock'): Promise<Players> {
  const properties = readSettings(volume)
  const text = (path: string) => readText(volume, path)
  if (edition === 'bedrock') {
    const allowed = readAllowlist(text('allowlist.json'))
    const names = new Map(allowed.map(({ xuid, name }) => [xuid, name]))
    return {
      onlineMode: properties.get('online-mode') !== 'false',
      whitelistOn: properties.get('allow-list') === 'true',
      whitelist: some(allowed.map(({ xuid, name }) => ({ id: xuid, name }))),
      operators: some(
        readPermissions(text('permissions.json'))
          .filter(({ permission }) => permission === 'operator')
          .map(({ xuid }) => ({ id: xuid, name: names.get(xuid) ?? null, level: 4 })),
      ),
      bans: [],
      addressBans: [],
      known: [],
      truncated: allowed.length > listedPlayers,
    }
  }
  const whitelist = readWhitelist(text('whitelist.json')).map(({ uuid, name }) => ({ id: uuid, name }))
  const operators = readOperators(text('ops.json')).map(({ uuid, name, level }) => ({ id: uuid, name, level }))
  const bans = readPlayerBans(text('banned-players.json')).map(({ uuid, ...more }) => ({ id: uuid, ...more }))
  const addressBans = readAddressBans(text('banned-ips.json'))
  const cached = readWhitelist(text('usercache.json')).map(({ uuid, name }) => ({ id: uuid, name }))
  const names = new Map([...bans, ...operators, ...whitelist, ...cached].map(({ id, name }) => [id, name]))
  const { known, truncated } = await readKnown(volume, worldIn(properties), names)
  return {
    onlineMode: properties.get('online-mode') !== 'false',
    whitelistOn: properties.get('white-list') === 'true',
    whitelist: some(whitelist),
    operators: some(operators),
    bans: some(bans),
    addressBans: some(addressBans),
    known,
    truncated: truncated || [whitelist, operators, bans, addressBans].some((list) => list.length > listedPlayers),
  }
}

const some = <Entry>(list: Entry[]): Entry[] => list.slice(0, listedPlayers)

/** Everybody who has a file, the latest first, then those whom the game remembers otherwise. */
async function readKnown(volume: Volume, world: string, names: Map<string, string>) {
  const found = new Map<string, { path: string; lastSeen: number }>()
  for (const path of dataFolders(world)) {
    try {
      using folder = volume.openFolder(path, 'read')
      for await (const batch of readNames(folder)) {
        for (const name of batch) {
          const id = typeof name === 'string' ? dataName(name) : undefined
          const stats = id === undefined ? undefined : lookAt(folder, name as string)
          if (stats?.isFile()) found.set(id!, { path: `${path}/${name as string}`, lastSeen: stats.mtimeMs })
        }
      }
    } catch {
      // A version that has no such folder, or a world that nobody has entered.
    }
  }
  const files = [...found].toSorted(([, one], [, other]) => other.lastSeen - one.lastSeen)
  let unnamed = 0
  const withFiles = files.slice(0, knownPlayers).map(([id, { path, lastSeen }], index) => {
    if (!names.has(id) && unnamed < MOST_NAMED) {
      unnamed++
      const name = readName(volume, path)
      if (name !== null) names.set(id, name)
    }
    const played = index < MOST_STATS ? playTimeOf(volume, world, id) : null
    return { id, name: names.get(id) ?? null, played, lastSeen: Math.max(EPOCH, Math.trunc(lastSeen)), hasData: true }
  })
  const others = [...names]
    .filter(([id]) => UUID.test(id) && !found.has(id))
    .map(([id, name]) => ({ id, name, played: null, lastSeen: null, hasData: false }))
  const known = [...withFiles, ...others]
  return { known: known.slice(0, knownPlayers), truncated: files.length + others.length > knownPlayers }
}

/** As Bukkit's kin write it into the player's file. */
function readName(volume: Volume, path: string): string | null {
  let fd: number | undefined
  try {
    fd = volume.openFile(path).fd
    return readPlayerData(readFile(fd).tag).name
  } catch {
    return null
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

function playTimeOf(volume: Volume, world: string, id: string): number | null {
  for (const folder of statsFolders(world)) {
    const played = readPlayTime(readText(volume, `${folder}/${id}.json`, STATS_BYTES))
    if (played !== null) return played
  }
  return null
}
