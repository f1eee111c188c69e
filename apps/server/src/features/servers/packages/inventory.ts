/** What a server has: its ground, which it was made with, and the packages that were installed on it. */
import { loadersOfEngine } from '@wakestone/contract/servers/package-loaders'
import { type EngineId, type Game, gameOfEngine } from '@wakestone/contract/servers/server'
import { gameVersionOf } from '@wakestone/packager/game-version'
import { hashPlan } from '@wakestone/packager/hash'
import type { InstallPlan, Launch, Manifest } from '@wakestone/packager/manifest'
import { buildInstallPlan } from '@wakestone/packager/plan'
import type { Candidate, Wish } from '@wakestone/packager/solve/request'
import type { SourceContext } from '#src/adapters/packages/source.ts'
import type { Handle } from '#src/db/client.ts'
import { findSetup, type Setup } from '#src/features/servers/servers/service.ts'
import { type InstalledPackage, selectLocks } from './repo.ts'

export type Inventory = {
  setup: Setup
  /** Java, where there is one, and the engine. */
  ground: Manifest[]
  installed: InstalledPackage[]
}

/** The plan says what is there; the locks, who has asked for it. */
export async function readInventory(db: Handle, serverId: string): Promise<Inventory> {
  const setup = await findSetup(db, serverId)
  const known = new Map<string, InstalledPackage>()
  for (const entries of await selectLocks(db, serverId))
    for (const entry of entries) if (!known.has(entry.ManifestHash)) known.set(entry.ManifestHash, entry)
  const { packages } = setup.plan
  return {
    setup,
    ground: packages.filter(({ ManifestHash }) => !known.has(ManifestHash)),
    installed: packages.flatMap(({ ManifestHash }) => known.get(ManifestHash) ?? []),
  }
}

export function sourceContextOf(
  { setup, ground }: Pick<Inventory, 'setup' | 'ground'>,
  userId: string | null,
): SourceContext {
  const engine = setup.engine as EngineId
  return {
    game: gameOfEngine[engine] satisfies Game,
    engine,
    loaders: loadersOfEngine[engine],
    gameVersion: gameVersionOf(ground),
    userId,
  }
}

/** What the ground asks for: that it stays, and the game with it. */
export function groundWishes(ground: readonly Manifest[]): Wish[] {
  const game = gameVersionOf(ground)
  return [
    // Java comes with what the engine needs.
    ...ground.flatMap(({ name, labels }): Wish[] =>
      labels.kind === 'runtime' ? [] : [{ selector: { name }, of: 'engine' }],
    ),
    ...(game === null ? [] : [{ selector: { provides: 'minecraft', expr: `=${game}` }, of: 'game' } as const]),
  ]
}

export const asCandidate = (manifest: Manifest): Candidate => ({ manifest, channel: 'stable', withdrawn: false })

/** The plan with other packages on its ground. */
export function planWith(plan: InstallPlan, { ground, packages }: { ground: Manifest[]; packages: Manifest[] }) {
  const { files, launch } = plan
  // The engine is the last of the ground, as plans are built.
  const [engine, java] = ground.toReversed()
  if (engine === undefined) throw new Error('a plan without an engine')
  return buildInstallPlan({ engine, java, packages, files, launch: launchWith(launch, packages) })
}

/** Settings of `server.properties` that packs of resources set; manifests carry them as labels of the same names. */
const packSettings = ['resource-pack', 'resource-pack-sha1'] as const

function launchWith({ settings, ...launch }: Launch, packages: readonly Manifest[]): Launch {
  const kept = Object.entries(settings ?? {}).filter(([key]) => !packSettings.some((name) => name === key))
  const added = packages.flatMap(({ labels }) =>
    packSettings.flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]] as const])),
  )
  const all = Object.fromEntries([...kept, ...added])
  return { ...launch, ...(Object.keys(all).length > 0 && { settings: all }) }
}

export const isSamePlan = (one: InstallPlan, other: InstallPlan) => hashPlan(one) === hashPlan(other)
