/** A world is converted onwards only: an older game would spoil what it does not know. */
import { DomainError } from '@wakestone/contract/errors'
import { isWorldNewer, nameWorldVersion, type WorldVersion } from '@wakestone/packager/world-version'
import type { ServerRow } from './repo.ts'
import { isLive } from './status.ts'

/** @param keep paths that stay; null: everything does */
export const keepsWorld = (keep: readonly string[] | null): boolean =>
  keep === null || keep.some((path) => /^world(\/|$)/.test(path))

/** By which versions a world is saved, or soon will be: a game that is up has not written its own into it yet. */
export function worldsOf({
  world_version,
  game_version,
  phase,
}: Pick<ServerRow, 'world_version' | 'game_version' | 'phase'>): WorldVersion[] {
  const saved = world_version as WorldVersion | null
  const running = { version: game_version, dataVersion: null }
  const isUnsaved = game_version !== null && (saved === null || isLive(phase))
  return [...(isUnsaved ? [running] : []), ...(saved === null ? [] : [saved])]
}

/**
 * @param version of the game; null: the engine has no world of its own, or does not say which game it runs
 * @throws DomainError `world_is_newer`, with both versions
 */
export function requireNoDowngrade(world: WorldVersion, version: string | null): void {
  if (version !== null && isWorldNewer(world, version))
    throw new DomainError('world_is_newer', { world: nameWorldVersion(world), version })
}
