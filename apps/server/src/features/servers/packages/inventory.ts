/** What a server has: its ground, which it was made with, and the packages that were installed on it. */
import { hashPlan } from '@wakestone/packager/hash'
import type { InstallPlan, Manifest } from '@wakestone/packager/manifest'
import { buildInstallPlan } from '@wakestone/packager/plan'
import type { Wish } from '@wakestone/packager/solve/request'
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

/** What the ground asks for: that it stays, and the game with it. */
export function groundWishes(ground: readonly Manifest[]): Wish[] {
  const game = ground.flatMap(({ provides }) => provides).find(({ name }) => name === 'minecraft')
  return [
    // Java comes with what the engine needs.
    ...ground.flatMap(({ name, labels }): Wish[] =>
      labels.kind === 'runtime' ? [] : [{ selector: { name }, of: 'engine' }],
    ),
    ...(game ? [{ selector: { provides: 'minecraft', expr: `=${game.version}` }, of: 'game' } as const] : []),
  ]
}

/** The plan with other packages on its ground. */
export function planWith(plan: InstallPlan, { ground, packages }: { ground: Manifest[]; packages: Manifest[] }) {
  const { files, launch } = plan
  // The engine is the last of the ground, as plans are built.
  const [engine, java] = ground.toReversed()
  if (engine === undefined) throw new Error('a plan without an engine')
  return buildInstallPlan({ engine, java, packages, files, launch })
}

export const isSamePlan = (one: InstallPlan, other: InstallPlan) => hashPlan(one) === hashPlan(other)
