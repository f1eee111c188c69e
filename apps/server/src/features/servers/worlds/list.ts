/** The worlds of a server, as its files service tells them and people are shown them. */
import { DomainError } from '@wakestone/contract/errors'
import type { World, WorldList } from '@wakestone/contract/servers/worlds'
import { isWorldNewer } from '@wakestone/packager/world-version'
import type { WorldEdition } from '@wakestone/protocol/world-values'
import type { World as ToldWorld, WorldList as ToldList } from '@wakestone/protocol/worlds'
import type { Context } from '#src/context.ts'
import { filesOf } from '#src/features/servers/files/service.ts'
import { isLive, type ServerRow } from '#src/features/servers/servers/service.ts'

/** A game that has opened a world begins to write its lock a moment before it says that it was started. */
const earlyMilliseconds = 60_000

export const editionOf = ({ game }: ServerRow): WorldEdition => (game === 'minecraft-java' ? 'java' : 'bedrock')

export const readWorlds = (deps: Pick<Context, 'fleet'>, server: ServerRow): Promise<ToldList> =>
  filesOf(deps, server).worlds(editionOf(server))

/** Whether the game has it open, or may: the one that it plays, and those that plugins have opened since its start. */
export function isInUse(server: ServerRow, { folder, openedAt }: ToldWorld, active: string): boolean {
  if (!isLive(server.phase)) return false
  if (folder === active) return true
  const started = server.launched_at?.getTime() ?? 0
  return openedAt !== null && openedAt >= started - earlyMilliseconds
}

/** By which name people know it. */
export const nameOf = (folder: string) => folder.replace(/^worlds\//, '')

export function describeWorlds(server: ServerRow, { active, worlds }: ToldList): WorldList {
  return { active, worlds: worlds.map((world) => describe(server, world, active)) }
}

function describe(server: ServerRow, world: ToldWorld, active: string): World {
  const { folder, layout, level, bytes, dimensions } = world
  return {
    folder,
    name: nameOf(folder),
    layout,
    is_active: folder === active,
    in_use: isInUse(server, world, active),
    bytes,
    level: level && {
      version: level.version,
      is_newer: layout !== 'bedrock' && server.game_version !== null && isWorldNewer(level, server.game_version),
      seed: level.seed,
      spawn: level.spawn,
      difficulty: level.difficulty,
      hardcore: level.hardcore,
      rules: level.rules,
      border: level.border,
      time: level.time,
      last_played: level.lastPlayed === null ? null : new Date(level.lastPlayed).toISOString(),
    },
    dimensions,
  }
}

/** @throws DomainError `world_not_found` */
export function findWorld({ worlds }: ToldList, folder: string): ToldWorld {
  const world = worlds.find((one) => one.folder === folder)
  if (world === undefined) throw new DomainError('world_not_found', { resource: 'file' })
  return world
}
