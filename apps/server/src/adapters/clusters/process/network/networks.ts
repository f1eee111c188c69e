/** All means of giving servers networks of their own, those that an earlier start had too. */
import type { NetworkDriver, NetworkMeans } from './network.ts'
import type { NetworkPolicy } from './policy.ts'
import { createUserDriver } from './user-mode.ts'
import { createVethDriver } from './veth.ts'

export type Networks = ReturnType<typeof openNetworks>

export function openNetworks({
  dataDir,
  policy,
  means,
}: {
  dataDir: string
  policy: NetworkPolicy
  /** Only these are tried for new ones. */
  means?: readonly NetworkMeans[] | undefined
}) {
  const isRoot = process.getuid?.() === 0
  const drivers: Partial<Record<NetworkMeans, NetworkDriver>> = isRoot
    ? { veth: createVethDriver({ dataDir, policy }) }
    : {
        pasta: createUserDriver('pasta', { dataDir, policy }),
        slirp4netns: createUserDriver('slirp4netns', { dataDir, policy }),
      }
  const all = Object.values(drivers)
  return {
    drivers: means ? all.filter((driver) => means.includes(driver.means)) : all,
    /** Removes whatever network a server has had. */
    async remove(serverId: string) {
      for (const driver of all) await driver.remove(serverId)
    },
    /** Servers that have one, or have left one behind. */
    list: async () => [...new Set((await Promise.all(all.map((driver) => driver.list()))).flat())],
  }
}
