/** Another engine for a server, where what is asked for is made for one: a pack of mods, or a way back to before it. */
import type { Product } from '@wakestone/contract/sales/product'
import { loadersOfEngine } from '@wakestone/contract/servers/package-loaders'
import { type EngineId, engineIds, gameOfEngine } from '@wakestone/contract/servers/server'
import { gameVersionOf } from '@wakestone/packager/game-version'
import type { Manifest } from '@wakestone/packager/manifest'
import { packLabels } from '@wakestone/packager/packs/seal'
import { kindOf } from '@wakestone/packager/placement'
import { createMatcher } from '@wakestone/packager/requirements'
import type { Selector } from '@wakestone/packager/selector'
import type { Candidate } from '@wakestone/packager/solve/request'
import type { EngineCatalogue } from '#src/adapters/engines/catalogue.ts'
import { withStartFlags } from '#src/features/servers/parameters/service.ts'
import { requireNoDowngrade, type ServerRow, type Setup, worldsOf } from '#src/features/servers/servers/service.ts'
import { type Inventory, planWith } from './inventory.ts'

/** What a server runs besides its packages. */
export type Ground = Pick<Inventory, 'setup' | 'ground'>

/** Engine, version, and a plan of those alone. */
export const setupOf = ({ setup, ground }: Ground): Setup => ({
  ...setup,
  plan: planWith(setup.plan, { ground, packages: [] }),
})

export const groundOf = (setup: Setup): Ground => ({ setup, ground: setup.plan.packages })

const versionOf = ({ ground }: Ground) => gameVersionOf(ground)

export const isSameGround = (one: Ground, other: Ground): boolean =>
  one.setup.engine === other.setup.engine &&
  one.setup.version === other.setup.version &&
  versionOf(one) === versionOf(other)

/** Manifests that are packs, and for which game and loader they are made. */
export const isPack = ({ labels }: Pick<Manifest, 'labels'>): boolean => labels[packLabels.minecraft] !== undefined

/** The first pack that is asked for, in the newest release that is meant: stable ones go before others. */
function findPack(asked: readonly Selector[], candidates: readonly Candidate[]): Manifest | undefined {
  for (const selector of asked) {
    const matches = createMatcher(selector)
    const found = candidates.filter(
      ({ manifest, withdrawn }) =>
        !withdrawn && manifest.name === selector.name && isPack(manifest) && matches(manifest),
    )
    const one = found.find(({ channel }) => channel === 'stable') ?? found[0]
    if (one !== undefined) return one.manifest
  }
  return undefined
}

/**
 * The ground that a pack among what is asked for is made for.
 * @returns undefined where there is none, or the server has it
 * @throws DomainError `engine_version_not_found`, `engine_catalogue_unavailable`, `world_is_newer`
 */
export async function findPackGround(
  engines: EngineCatalogue,
  server: ServerRow,
  { inventory, asked, candidates }: { inventory: Ground; asked: readonly Selector[]; candidates: readonly Candidate[] },
): Promise<Ground | undefined> {
  const pack = findPack(asked, candidates)
  const engine = engineIds.find((id) => id === pack?.labels[packLabels.engine])
  const version = pack?.labels[packLabels.minecraft]
  if (engine === undefined || version === undefined || gameOfEngine[engine] !== server.game) return undefined
  if (inventory.setup.engine === engine && versionOf(inventory) === version) return undefined
  for (const world of worldsOf(server)) requireNoDowngrade(world, version)
  const resolved = await engines.resolveEngine({
    engine,
    version,
    serverName: server.name,
    players: (server.limits as Product['parameters']).players,
  })
  return groundOf({ engine, version, plan: withStartFlags(resolved, server.start_flags) })
}

/** What stays on a server and is loaded by its engine no more. */
export function namesNotLoaded(engine: string, packages: readonly Manifest[]): string[] {
  const loaders: readonly string[] = loadersOfEngine[engine as EngineId]
  const isModded = loaders.some((loader) => ['fabric', 'quilt', 'forge', 'neoforge'].includes(loader))
  return packages.flatMap(({ name, labels }) => {
    const own = (labels.loaders ?? '').split(',').filter((loader) => loader !== '')
    const isStrange =
      own.length > 0
        ? !own.some((loader) => loaders.includes(loader))
        : kindOf({ labels }) === (isModded ? 'plugin' : 'mod')
    return isStrange ? [name] : []
  })
}
