/** Files in quarantine go from every server that has one. */
import type { Context } from '#src/context.ts'
import { isolatePackages } from '#src/features/servers/packages/service.ts'
import { selectSpoiltServers } from './repo.ts'

/** @returns whether all of them have begun; the rest is busy, and has to be asked again. */
export async function isolateEverywhere(deps: Pick<Context, 'db' | 'boss' | 'settings' | 'logger'>): Promise<boolean> {
  let isWhole = true
  for (const { server_id: serverId, hashes } of await selectSpoiltServers(deps.db)) {
    const hasBegun = await isolatePackages(deps, { serverId, hashes })
    deps.logger.warn({ serverId, hashes, hasBegun }, 'a server has a package that is malice')
    isWhole &&= hasBegun
  }
  return isWhole
}
