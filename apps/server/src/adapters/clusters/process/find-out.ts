/** Finds out once what this machine can give to servers, by trying it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { removeUnusedBundles, withBundle } from './bundles.ts'
import { findCapability, sharedFiles } from './capability.ts'
import { findCgroupFault } from './cgroup.ts'
import { findImageFault } from './image.ts'
import type { Found, Launch } from './launch.ts'
import { withLock } from './lock.ts'
import { findNetwork } from './network/find.ts'
import { type NetworkPolicy, resolverFile } from './network/policy.ts'
import { makeRuntimeRoot, stageFolder } from './paths.ts'
import type { MissingWall } from './walls.ts'

export type FindOut = Launch & {
  policy: NetworkPolicy
  /** Whether somebody runs the code of that name. */
  isUsed: { supervisor: (id: string) => boolean; files: (id: string) => boolean }
  removeEndedBoxes: () => Promise<void>
  withoutQuota?: boolean | undefined
  /** Removes the network of a server that is not placed. */
  removeUnplaced: (serverId: string) => Promise<void>
}

export async function findOut(options: FindOut): Promise<Found> {
  const { dataDir, filesDir, nodePath, bwrapPath, bundles, logger, networks } = options
  makeRuntimeRoot(dataDir)
  await removeUnusedBundles(bundles, options.isUsed.supervisor)
  if (existsSync(options.filesBundles.built)) await removeUnusedBundles(options.filesBundles, options.isUsed.files)
  await options.removeEndedBoxes()
  const trial = { filesDir, stage: stageFolder(dataDir), nodePath, bwrapPath }
  const capability = await withBundle(bundles, (bundle) => findCapability({ ...trial, bundle }))
  if (!capability.sandboxed)
    return { ...capability, network: undefined, images: false, limits: findCgroupFault() === undefined, missing: [] }
  if (!capability.twoUsers) logger.info('supervisors run as the same user as their games: this user may have no others')
  mkdirSync(options.downloads, { recursive: true, mode: 0o711 })
  writeFileSync(sharedFiles(filesDir).resolver, resolverFile(options.policy), { mode: 0o644 })
  const missing: MissingWall[] = []
  // Nobody else's trial is taken for what somebody has left behind.
  const { driver, problems } = await withLock(join(filesDir, '.networks'), async () => {
    for (const serverId of await networks.list()) await options.removeUnplaced(serverId)
    return findNetwork(networks.drivers, { filesDir, nodePath })
  })
  if (!driver) missing.push({ wall: 'network', why: problems.join('; ') || 'no means that this user may use' })
  const imageFault = await findDiskFault()
  if (imageFault !== undefined) missing.push({ wall: 'disk', why: imageFault })
  const cgroupFault = findCgroupFault()
  if (cgroupFault !== undefined) missing.push({ wall: 'memory', why: cgroupFault })
  logger.info(
    { network: driver?.means ?? 'shared', quota: imageFault === undefined, limits: cgroupFault === undefined },
    'walls around servers',
  )
  return {
    ...capability,
    network: driver,
    images: imageFault === undefined,
    limits: cgroupFault === undefined,
    missing,
  }

  async function findDiskFault() {
    if (options.withoutQuota) return 'it is not wanted'
    return capability.twoUsers ? findImageFault(filesDir) : 'the product does not run as root'
  }
}

/** What is known where even that failed. */
export const nothingFound = (error: Error): Found => ({
  sandboxed: false,
  twoUsers: false,
  problems: [error.message],
  network: undefined,
  images: false,
  limits: false,
  missing: [],
})
